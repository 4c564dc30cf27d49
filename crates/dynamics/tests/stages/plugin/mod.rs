//! MuJoCo's own plugins.
mod cable;
mod pid;
mod touch_grid;
