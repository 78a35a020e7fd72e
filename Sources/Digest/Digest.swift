// Placeholder of the skeleton; replaced by the layer's own files.
