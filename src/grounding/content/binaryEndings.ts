/** Endings of names behind which there is no text. Many of these files are large, and Git reads a file whole. */
export const binaryEndings: readonly string[] = (
  '7z a apk avif bin bmp bz2 class db dll dmg doc docx dylib eot exe flac gguf gif gz h5 heic icns ico img iso jar ' +
  'jpeg jpg lzma mo mov mp3 mp4 npy npz o odt ogg onnx otf parquet pdf pkl png ppt pptx psd pyc safetensors so sqlite ' +
  'sqlite3 tar tflite tgz tif tiff ttf war wasm wav webm webp woff woff2 xls xlsx xz zip zst'
).split(' ');

const known: ReadonlySet<string> = new Set(binaryEndings);

/** Whether the name alone says that there is no text to read. */
export function binaryByName(path: string): boolean {
  const dot = path.lastIndexOf('.');
  return dot >= 0 && known.has(path.slice(dot + 1).toLowerCase());
}
