/** Longer than any path of any system; what goes on for longer is no record, and would fill the memory. */
const longestRecord = 65_536;

/** Cuts a stream of bytes into the records that a NUL ends; one that is longer than 64 KiB is left out. */
export function splitAtNul(take: (record: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer[] = [];
  let size = 0;
  return (chunk) => {
    let start = 0;
    for (let nul = chunk.indexOf(0); nul >= 0; nul = chunk.indexOf(0, start)) {
      const piece = chunk.subarray(start, nul);
      if (size + piece.length <= longestRecord) take(rest.length === 0 ? piece : Buffer.concat([...rest, piece]));
      rest = [];
      size = 0;
      start = nul + 1;
    }
    size += chunk.length - start;
    if (size > longestRecord) rest = [];
    else if (start < chunk.length) rest.push(chunk.subarray(start));
  };
}
