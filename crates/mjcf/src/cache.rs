//! Compiled assets that are kept, so that loading a model again costs little.

use std::any::Any;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, PoisonError};

use crate::disk::FileStamp;

/// The capacity of the shared cache, in bytes: that of MuJoCo's.
const CAPACITY: usize = 500 << 20;

/// The cache that [`AssetCache::shared`] gives out.
static SHARED: LazyLock<Arc<AssetCache>> = LazyLock::new(|| Arc::new(AssetCache::new(CAPACITY)));

/// Something that can be kept.
pub(crate) trait Asset: Any + Send + Sync {
    /// How many bytes it takes, about.
    fn bytes(&self) -> usize;
}

/// Keeps the meshes, skins, images and height fields that were made from files, for later loads.
///
/// An asset is found again only for the same file (its path, length and time of change) and the same
/// treatment (scale, need of a convex hull, ...), so a model is the same with a cache and without
/// one, and a file that has changed is read anew. What was not used for the longest time goes first
/// when the capacity is reached. Files in memory, and files that changed within the last two
/// seconds, are not kept.
///
/// [`LoadOptions`](crate::LoadOptions) names the cache of a load; the default is one for the whole
/// process.
///
/// ```
/// use std::sync::Arc;
/// use ferrodyn_mjcf::{AssetCache, LoadOptions, Spec};
///
/// let cache = Arc::new(AssetCache::new(64 << 20));
/// let options = LoadOptions::default().with_cache(Some(Arc::clone(&cache)));
/// Spec::from_xml_str("<mujoco/>", &options)?.compile()?;
/// assert!(cache.is_empty() && cache.bytes() <= cache.capacity());
///
/// let uncached = LoadOptions::default().with_cache(None);
/// # Ok::<(), ferrodyn_mjcf::MjcfError>(())
/// ```
pub struct AssetCache {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    capacity: usize,
    bytes: usize,
    /// How often the cache was used.
    clock: u64,
    entries: HashMap<Key, Entry>,
}

/// A file, and what was made from it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) file: FileStamp,
    /// All that decides what is made from the file, in words.
    pub(crate) treatment: String,
}

struct Entry {
    asset: Arc<dyn Any + Send + Sync>,
    bytes: usize,
    /// When it was used last.
    used: u64,
}

impl State {
    /// Removes what was not used for the longest time, down to a number of bytes.
    fn shrink_to(&mut self, bytes: usize) {
        while self.bytes > bytes {
            let oldest = self.entries.iter().min_by_key(|(_, entry)| entry.used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            self.remove(&key);
        }
    }

    fn remove(&mut self, key: &Key) {
        if let Some(entry) = self.entries.remove(key) {
            self.bytes -= entry.bytes;
        }
    }

    fn tick(&mut self) -> u64 {
        self.clock += 1;
        self.clock
    }
}

impl AssetCache {
    /// A cache of its own, for so many bytes of assets.
    pub fn new(capacity: usize) -> Self {
        Self { state: Mutex::new(State { capacity, ..State::default() }) }
    }

    /// The cache of the whole process, which loads use by default.
    pub fn shared() -> Arc<Self> {
        Arc::clone(&SHARED)
    }

    /// The most bytes that are kept.
    pub fn capacity(&self) -> usize {
        self.state().capacity
    }

    /// Changes the capacity; what does not fit any more goes.
    pub fn set_capacity(&self, capacity: usize) {
        let mut state = self.state();
        state.capacity = capacity;
        state.shrink_to(capacity);
    }

    /// How many bytes are kept, about.
    pub fn bytes(&self) -> usize {
        self.state().bytes
    }

    /// How many assets are kept.
    pub fn len(&self) -> usize {
        self.state().entries.len()
    }

    /// Whether nothing is kept.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.state().shrink_to(0);
    }

    /// No operation leaves the state half changed, so a panic elsewhere does not spoil it.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is kept under a key.
    pub(crate) fn get<A: Asset>(&self, key: &Key) -> Option<Arc<A>> {
        let mut state = self.state();
        let now = state.tick();
        let entry = state.entries.get_mut(key)?;
        entry.used = now;
        Arc::clone(&entry.asset).downcast().ok()
    }

    /// Keeps an asset, unless it is larger than the cache.
    pub(crate) fn insert<A: Asset>(&self, key: Key, asset: &Arc<A>) {
        let bytes = asset.bytes();
        let mut state = self.state();
        if bytes > state.capacity {
            return;
        }
        state.remove(&key);
        let room = state.capacity - bytes;
        state.shrink_to(room);
        let used = state.tick();
        state.bytes += bytes;
        let asset: Arc<dyn Any + Send + Sync> = Arc::<A>::clone(asset);
        state.entries.insert(key, Entry { asset, bytes, used });
    }
}

impl fmt::Debug for AssetCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("AssetCache")
            .field("capacity", &state.capacity)
            .field("bytes", &state.bytes)
            .field("assets", &state.entries.len())
            .finish()
    }
}
