use redraft_store::*; use std::time::Instant; use std::io::Write;
fn reg()->Registration{Registration{kind:"run".into(),workspace:Some("w".into()),subject:Some("s".into()),workflow:None,at:0}}
#[tokio::main(flavor="multi_thread")]
async fn main(){
 let dir=tempfile::tempdir_in(std::env::args().nth(1).unwrap()).unwrap(); let home=Home::create(dir.path()).unwrap();
 let t=Instant::now(); let s=Store::open(&home).unwrap(); println!("create+open {:?}",t.elapsed());
 let body="x".repeat(2300);
 let n=300u64;
 let t=Instant::now();
 let mut f=std::fs::File::create(dir.path().join("bare")).unwrap();
 for _ in 0..n{ f.write_all(body.as_bytes()).unwrap(); f.sync_all().unwrap(); }
 let bare=t.elapsed()/n as u32; println!("bare fsync append {bare:?}");
 let t=Instant::now();
 for i in 0..n{ let w=StreamWrite{stream:"a".into(),register:Some(reg()),after:Some(i*2),epoch:1,bodies:vec![body.clone(),"asked".repeat(60)]};
  let claims=Claims{bodies:vec![],reserve:vec![Reservation::new("home","calls",1),Reservation::new("run:a","calls",1)],over:Box::new(|_|String::new())};
  s.append(Append{claims:Some(claims),..Append::new(vec![w])}).await.unwrap(); }
 let ours=t.elapsed()/n as u32; println!("append {ours:?} commits {}",s.commits());
 let t=Instant::now();
 let tasks:Vec<_>=(0..100).map(|k|{let s=s.clone();let body=body.clone();tokio::spawn(async move{for i in 0..20{
  let w=StreamWrite{stream:StreamId::new(format!("r{k}")),register:Some(reg()),after:Some(i),epoch:1,bodies:vec![body.clone()]}; s.append(Append::new(vec![w])).await.unwrap();}})}).collect();
 let c0=s.commits(); for t in tasks{t.await.unwrap();} println!("100x20 appends {:?} in {} commits",t.elapsed(),s.commits()-c0);
 let t=Instant::now(); drop(s); println!("close {:?}",t.elapsed());
 for _ in 0..3 {let t=Instant::now(); let s=Store::open_existing(&home).unwrap().unwrap(); let o=t.elapsed(); let h=s.heads("w").unwrap().len(); let l=t.elapsed(); for k in 0..13{ s.read(&StreamId::new(format!("r{k}"))).unwrap(); } let r=t.elapsed(); drop(s); println!("open {o:?} heads({h}) {l:?} read 13 {r:?} closed {:?}",t.elapsed());}
 let t=Instant::now(); let r=verify(&home).unwrap(); println!("verify {:?} {} facts clean {}",t.elapsed(),r.facts,r.is_clean());
 println!("db bytes {}",std::fs::metadata(home.dir().join("journal.db")).unwrap().len());
}
