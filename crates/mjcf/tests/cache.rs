//! The cache of compiled assets: models are the same with it and without it.

use std::fs::{self, File};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use ferrodyn_mjcf::{AssetCache, LoadOptions, Spec};
use ferrodyn_model::Model;

const MODEL: &str = r#"<mujoco>
  <asset>
    <mesh name="hull" file="box.obj"/>
    <mesh name="seen" file="box.obj" scale="2 1 1"/>
    <texture name="image" type="2d" file="image.tex" content_type="image/vnd.mujoco.texture"/>
    <texture name="mirrored" type="2d" file="image.tex" content_type="image/vnd.mujoco.texture"
             hflip="true"/>
    <hfield name="field" file="field.hf" content_type="image/vnd.mujoco.hfield" size="1 1 1 1"/>
  </asset>
  <worldbody>
    <geom type="mesh" mesh="hull"/>
    <geom type="mesh" mesh="seen" contype="0" conaffinity="0"/>
    <geom type="hfield" hfield="field"/>
  </worldbody>
</mujoco>"#;

/// A directory with the files of the model, which goes away with the test.
struct Folder(PathBuf);

/// A box as text.
fn box_text(height: u32) -> String {
    let mut text = String::new();
    for (x, y, z) in (0..8).map(|i| (i & 1, i >> 1 & 1, (i >> 2 & 1) * height)) {
        text += &format!("v {x} {y} {z}\n");
    }
    for quad in [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
    {
        text += &format!("f {} {} {} {}\n", quad[0], quad[1], quad[2], quad[3]);
    }
    text
}

impl Folder {
    fn new(test: &str) -> Self {
        let id = std::process::id();
        let folder = Self(std::env::temp_dir().join(format!("ferrodyn-cache-{test}-{id}")));
        fs::create_dir_all(&folder.0).unwrap();
        let image = [2_i32.to_le_bytes(), 1_i32.to_le_bytes()].concat();
        let heights = [2.0_f32, 1.0, 0.5, 3.0].map(f32::to_le_bytes).concat();
        let field = [2_i32.to_le_bytes(), 2_i32.to_le_bytes()].concat();
        folder.write("model.xml", MODEL.as_bytes(), 100);
        folder.write("box.obj", box_text(1).as_bytes(), 100);
        folder.write("image.tex", &[image, vec![1, 2, 3, 4, 5, 6]].concat(), 100);
        folder.write("field.hf", &[field, heights].concat(), 100);
        folder
    }

    /// Writes a file that changed some seconds ago.
    fn write(&self, name: &str, bytes: &[u8], age: u64) {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        let time = SystemTime::now() - Duration::from_secs(age);
        File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
    }

    fn load(&self, cache: Option<&Arc<AssetCache>>) -> Model {
        let options = LoadOptions::default().with_cache(cache.cloned());
        let spec = Spec::from_xml_path(&self.0.join("model.xml"), &options).unwrap();
        spec.compile().unwrap().model
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn cache(capacity: usize) -> Arc<AssetCache> {
    Arc::new(AssetCache::new(capacity))
}

#[test]
fn a_second_load_is_the_same_to_the_bit() {
    let (folder, cache) = (Folder::new("same"), cache(1 << 20));
    let plain = folder.load(None);
    let first = folder.load(Some(&cache));
    // two meshes, two images and the height field
    assert_eq!(cache.len(), 5);
    let second = folder.load(Some(&cache));
    assert_eq!(cache.len(), 5);
    assert!(plain == first && first == second);
    assert_eq!(plain.to_bytes(), second.to_bytes());
}

#[test]
fn what_is_kept_is_used() {
    let (folder, cache) = (Folder::new("used"), cache(1 << 20));
    let first = folder.load(Some(&cache));
    // other bytes behind the same path, length and time are not looked at
    let mut image = fs::read(folder.0.join("image.tex")).unwrap();
    let time = fs::metadata(folder.0.join("image.tex")).unwrap().modified().unwrap();
    image[8] = 77;
    fs::write(folder.0.join("image.tex"), &image).unwrap();
    let file = File::options().write(true).open(folder.0.join("image.tex")).unwrap();
    file.set_modified(time).unwrap();
    assert!(folder.load(Some(&cache)) == first);
    assert!(folder.load(None) != first);
    cache.clear();
    assert!(cache.is_empty() && cache.bytes() == 0);
    assert!(folder.load(Some(&cache)) != first);
}

#[test]
fn a_changed_file_is_read_anew() {
    let (folder, cache) = (Folder::new("changed"), cache(1 << 20));
    let first = folder.load(Some(&cache));
    folder.write("box.obj", box_text(3).as_bytes(), 50);
    let second = folder.load(Some(&cache));
    assert!(second != first);
    assert!(second == folder.load(None));
}

#[test]
fn a_file_that_changed_just_now_is_not_kept() {
    let (folder, cache) = (Folder::new("fresh"), cache(1 << 20));
    folder.write("box.obj", box_text(1).as_bytes(), 0);
    folder.load(Some(&cache));
    // the images and the height field
    assert_eq!(cache.len(), 3);
}

#[test]
fn the_capacity_is_respected() {
    let (folder, cache) = (Folder::new("capacity"), cache(1 << 20));
    let first = folder.load(Some(&cache));
    let all = cache.bytes();
    cache.set_capacity(all - 1);
    assert!(cache.len() == 4 && cache.bytes() < all);
    assert!(folder.load(Some(&cache)) == first);
    assert!(cache.bytes() < all && cache.capacity() == all - 1);
    cache.set_capacity(10);
    assert!(cache.is_empty());
    assert!(folder.load(Some(&cache)) == first);
    assert!(cache.is_empty());
}

#[test]
fn the_same_file_with_other_settings_is_made_anew() {
    let (folder, cache) = (Folder::new("settings"), cache(1 << 20));
    folder.load(Some(&cache));
    let scaled = MODEL
        .replace(r#"name="hull" file="box.obj""#, r#"name="hull" file="box.obj" scale="1 5 1""#);
    folder.write("model.xml", scaled.as_bytes(), 100);
    let second = folder.load(Some(&cache));
    assert_eq!(cache.len(), 6);
    assert!(second == folder.load(None));
}

#[test]
fn a_smaller_budget_refuses_what_is_kept() {
    let (folder, cache) = (Folder::new("budget"), cache(1 << 20));
    folder.load(Some(&cache));
    for (asset_bytes, array) in [(20, 1 << 20), (1 << 20, 10)] {
        let mut options = LoadOptions::default().with_cache(Some(Arc::clone(&cache)));
        (options.budget.asset_bytes, options.budget.array) = (asset_bytes, array);
        let spec = Spec::from_xml_path(&folder.0.join("model.xml"), &options).unwrap();
        assert!(spec.compile().is_err());
    }
}

#[test]
fn only_trusted_loads_share_a_cache() {
    assert!(Arc::ptr_eq(&LoadOptions::default().cache.unwrap(), &AssetCache::shared()));
    assert!(LoadOptions::untrusted().cache.is_none());
}
