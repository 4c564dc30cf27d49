//! The cache of compiled assets, which all models of a process share.
use std::sync::Arc;

use ferrodyn_mjcf::AssetCache;
use pyo3::prelude::*;

/// The cache of compiled assets.
#[pyclass(frozen, module = "ferrodyn")]
pub(crate) struct Cache(Arc<AssetCache>);

/// The cache of compiled assets, which all models share.
#[pyfunction]
fn mj_getCache() -> Cache {
    Cache(AssetCache::shared())
}

/// Number of bytes in a cache.
#[pyfunction]
fn mj_getCacheSize(cache: &Cache) -> usize {
    cache.0.bytes()
}

/// Number of bytes that a cache may hold.
#[pyfunction]
fn mj_getCacheCapacity(cache: &Cache) -> usize {
    cache.0.capacity()
}

/// Change the number of bytes that a cache may hold; returns it.
#[pyfunction]
fn mj_setCacheCapacity(cache: &Cache, size: usize) -> usize {
    cache.0.set_capacity(size);
    cache.0.capacity()
}

/// Forget everything in a cache.
#[pyfunction]
fn mj_clearCache(cache: &Cache) {
    cache.0.clear();
}

pub(crate) fn register(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(mj_getCache, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getCacheSize, m)?)?;
    m.add_function(wrap_pyfunction!(mj_getCacheCapacity, m)?)?;
    m.add_function(wrap_pyfunction!(mj_setCacheCapacity, m)?)?;
    m.add_function(wrap_pyfunction!(mj_clearCache, m)?)
}
