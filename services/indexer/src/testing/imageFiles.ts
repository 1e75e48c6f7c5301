import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('../../vectors/images/', import.meta.url)

/** Images of 17 by 11 pixels by file name; see `vectors/images/README.md`. For tests only. */
export const IMAGE_FILES: ReadonlyMap<string, Uint8Array> = new Map(
  readdirSync(FOLDER)
    .filter((name) => !name.endsWith('.md'))
    .map((name) => [name, new Uint8Array(readFileSync(new URL(name, FOLDER)))]),
)

/** Returns a copy of an image in which some bytes are replaced. For tests only. */
export function patched(name: string, at: number, ...values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(imageFile(name))
  bytes.set(values, at)
  return bytes
}

/** Returns an image by its file name. For tests only. */
export function imageFile(name: string): Uint8Array {
  return IMAGE_FILES.get(name) ?? new Uint8Array()
}

/** A script in a GIF: its comment is HTML. For tests only. */
export function polyglot(): Uint8Array {
  const gif = imageFile('plain.gif')
  const comment = Buffer.from('<html><script>alert(document.domain)</script></html>')
  const palette = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1)
  return Buffer.concat([
    gif.subarray(0, palette),
    Uint8Array.of(0x21, 0xfe, comment.length),
    comment,
    Uint8Array.of(0),
    gif.subarray(palette),
    Buffer.from('<script>alert(2)</script>'),
  ])
}

/** An SVG with a script. For tests only. */
export const SVG =
  '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>'
