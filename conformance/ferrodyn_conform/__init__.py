"""Comparison of an engine with MuJoCo 3.5.0, array by array, over a corpus of real models."""
