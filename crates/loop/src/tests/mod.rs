//! Plays, properties and golden journals of the loop.
