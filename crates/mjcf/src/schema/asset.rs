//! Rows of assets.

use ferrodyn_model::{ColorSpace, TextureType};

use super::attributes;
use crate::keywords::{MeshBuiltin, MeshInertia, TextureBuiltin, TextureMark};

attributes! {
    /// Attributes of `<mesh>`.
    MeshAttrs {
        own "content_type" => content_type: String, "Media type, in place of the file's extension.";
        own "file" => file: String, "File with vertices and faces.";
        own "vertex" => vertex: Vec<f32>, "Vertices.";
        own "normal" => normal: Vec<f32>, "Normals, one for each vertex.";
        own "texcoord" => texcoord: Vec<f32>, "Texture coordinates, two for each vertex.";
        own "face" => face: Vec<i32>, "Vertices of each triangle.";
        own "@facenormal" => facenormal: Vec<i32>, "Normals of each triangle.";
        own "@facetexcoord" => facetexcoord: Vec<i32>, "Texture coordinates of each triangle.";
        own "@needsdf" => needsdf: bool, "Whether an octree is made in any case.";
        own "refpos" => refpos: [f64; 3], "Origin that the vertices are relative to.";
        own "refquat" => refquat: [f64; 4], "Orientation that the vertices are relative to.";
        "scale" => scale: [f64; 3], "Scale of the vertices.";
        own "smoothnormal" => smoothnormal: bool, "Whether all faces at a vertex share its normal.";
        "maxhullvert" => maxhullvert: i32, "Most vertices of the convex hull; -1 is no limit.";
        "inertia" => inertia: MeshInertia, "How the inertia is computed.";
        own "builtin" => builtin: MeshBuiltin, "Shape that is made from parameters.";
        own "params" => params: Vec<f64>, "Parameters of the shape.";
        own "material" => material: String, "Material of geoms that have none.";
    }

    /// Attributes of `<hfield>`.
    HfieldAttrs {
        "content_type" => content_type: String, "Media type, in place of the file's extension.";
        "file" => file: String, "File with elevations.";
        "nrow" => nrow: i32, "Number of rows.";
        "ncol" => ncol: i32, "Number of columns.";
        "size" => size: [f64; 4], "Half width, half depth, height above and below zero, in m.";
        "elevation" => elevation: Vec<f32>, "Elevations, the last row first.";
    }

    /// Attributes of `<texture>`.
    TextureAttrs {
        "type" => kind: TextureType, "How the texture is mapped.";
        "colorspace" => colorspace: ColorSpace, "Colour space.";
        "content_type" => content_type: String, "Media type, in place of the file's extension.";
        "file" => file: String, "File with the image.";
        "gridsize" => gridsize: [i32; 2], "Rows and columns of images in the file.";
        "gridlayout" => gridlayout: String, "Which side of the cube each image of the grid is.";
        "fileright" => fileright: String, "File of the right side of a cube.";
        "fileleft" => fileleft: String, "File of the left side of a cube.";
        "fileup" => fileup: String, "File of the upper side of a cube.";
        "filedown" => filedown: String, "File of the lower side of a cube.";
        "filefront" => filefront: String, "File of the front side of a cube.";
        "fileback" => fileback: String, "File of the back side of a cube.";
        "builtin" => builtin: TextureBuiltin, "Pattern that is made from parameters.";
        "rgb1" => rgb1: [f64; 3], "First colour of the pattern.";
        "rgb2" => rgb2: [f64; 3], "Second colour of the pattern.";
        "mark" => mark: TextureMark, "Marks on the pattern.";
        "markrgb" => markrgb: [f64; 3], "Colour of the marks.";
        "random" => random: f64, "Probability of a random mark.";
        "width" => width: i32, "Width of the pattern in pixels.";
        "height" => height: i32, "Height of the pattern in pixels.";
        "hflip" => hflip: bool, "Whether images are mirrored left to right.";
        "vflip" => vflip: bool, "Whether images are mirrored top to bottom.";
        "nchannel" => nchannel: i32, "Number of channels.";
        "@data" => data: Vec<u8>, "Pixels, in place of a file or pattern.";
    }

    /// Attributes of `<material>`.
    MaterialAttrs {
        "texture" => texture: String, "Name of the colour texture.";
        "emission" => emission: f32, "Emission.";
        "specular" => specular: f32, "Specularity.";
        "shininess" => shininess: f32, "Shininess.";
        "reflectance" => reflectance: f32, "Reflectance.";
        "metallic" => metallic: f32, "Metallicity; negative is unset.";
        "roughness" => roughness: f32, "Roughness; negative is unset.";
        "rgba" => rgba: [f32; 4], "Colour.";
        "texrepeat" => texrepeat: [f32; 2], "Repetitions of the texture.";
        "texuniform" => texuniform: bool, "Whether repetitions count in m.";
    }

    /// Attributes of `<asset><model>`.
    ModelAttrs {
        "file" => file: String, "File of the model.";
        "content_type" => content_type: String, "Media type, in place of the file's extension.";
    }
}
