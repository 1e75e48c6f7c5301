import { expect, test } from 'vitest'
import { IMAGE_FILES, imageFile, patched, polyglot, SVG } from '../testing/imageFiles.ts'
import { seeded } from '../testing/random.ts'
import { read } from './read.ts'

const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  avif: 'image/avif',
}
const typeOf = (name: string) => TYPES[name.split('.')[1] ?? '']
const all = [...IMAGE_FILES]
const failure = (bytes: Uint8Array) => {
  const result = read(bytes)
  return 'failure' in result ? result.failure : 'stored'
}
const text = (content: string) => new TextEncoder().encode(content)

test.each(all)('returns the format and the size of %s', (name, bytes) => {
  expect(read(bytes)).toEqual({ contentType: typeOf(name), width: 17, height: 11, bytes })
})

test.each(all)('refuses %s without its last bytes', (name, bytes) => {
  for (const cut of [1, 5, bytes.length >> 1, bytes.length - 20]) {
    expect([name, cut, failure(bytes.subarray(0, -cut))]).toEqual([name, cut, 'image-damaged'])
  }
})

test.each(all.filter(([name]) => !name.endsWith('avif')))(
  'cuts off what follows the end of %s',
  (name, bytes) => {
    const longer = Buffer.concat([bytes, text('<script>alert(1)</script>')])
    expect(read(longer)).toMatchObject({ contentType: typeOf(name), bytes: Buffer.from(bytes) })
  },
)

test('refuses files after the end of an AVIF', () => {
  const longer = Buffer.concat([imageFile('plain.avif'), text('<script>alert(1)</script>')])
  expect(failure(longer)).toBe('image-damaged')
})

test('refuses images that declare more pixels than the limit, in any place that a decoder reads', () => {
  const jpeg = imageFile('baseline.jpg')
  const frame = jpeg.findIndex((byte, at) => byte === 0xff && jpeg[at + 1] === 0xc0)
  const gif = imageFile('plain.gif')
  const image = 13 + 3 * 2 ** (((gif[10] ?? 0) & 7) + 1)
  expect(gif[image]).toBe(0x2c)
  const avif = Buffer.from(imageFile('plain.avif')).indexOf('ispe')
  const animation = Buffer.from(imageFile('animated.webp')).indexOf('ANMF')
  const bombs = {
    png: patched('plain.png', 16, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff),
    'png, wide': patched('plain.png', 16, 0xff, 0xff, 0xff, 0xff),
    jpeg: patched('baseline.jpg', frame + 5, 0xff, 0xff, 0xff, 0xff),
    gif: patched('plain.gif', 6, 0xff, 0xff, 0xff, 0xff),
    'gif, frame': patched('plain.gif', image + 5, 0xff, 0xff, 0xff, 0xff),
    'gif, offset of a frame': patched('plain.gif', image + 1, 0xff, 0xff),
    'webp, lossy': patched('lossy.webp', 26, 0xff, 0x3f, 0xff, 0x3f),
    'webp, lossless': patched('lossless.webp', 21, 0xff, 0xff, 0xff, 0x0f),
    'webp, canvas': patched('alpha.webp', 24, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff),
    'webp, frame': patched('animated.webp', animation + 14, 0xff, 0xff, 0xff),
    avif: patched('plain.avif', avif + 8, 0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff),
  }
  const found = Object.entries(bombs).map(([name, bytes]) => [name, failure(bytes)])
  expect(found).toEqual(Object.keys(bombs).map((name) => [name, 'image-size']))
})

test('refuses images without pixels', () => {
  expect(failure(patched('plain.png', 16, 0, 0, 0, 0))).toBe('image-size')
})

test('refuses lengths that lead behind the end, and headers that appear twice', () => {
  expect(failure(patched('plain.png', 33, 0x7f, 0xff, 0xff, 0xff))).toBe('image-damaged')
  expect(failure(patched('lossy.webp', 4, 0xff, 0xff, 0xff, 0x7f))).toBe('image-damaged')
  expect(failure(patched('lossy.webp', 16, 0xff, 0xff, 0xff, 0x7f))).toBe('image-damaged')
  expect(failure(patched('plain.avif', 0, 0xff, 0xff, 0xff, 0xff))).not.toBe('stored')
  const png = imageFile('plain.png')
  expect(failure(Buffer.concat([png.subarray(0, 33), png.subarray(8, 33), png.subarray(33)]))).toBe(
    'image-damaged',
  )
})

test('refuses nested boxes without overflowing the stack', () => {
  const [type, rest] = [imageFile('plain.avif').subarray(0, 32), new Uint8Array(1_200_000)]
  const view = new DataView(rest.buffer)
  for (let at = 0; at + 12 < rest.length; at += 12) {
    view.setUint32(at, rest.length - at)
    rest.set(text('meta'), at + 4)
  }
  expect(failure(Buffer.concat([type, rest]))).toBe('image-damaged')
})

test('refuses SVG, HTML and everything else that is no image, whatever it claims to be', () => {
  expect(failure(text(SVG))).toBe('svg')
  expect(failure(text('<SVG\nonload=alert(1)>'))).toBe('svg')
  for (const other of ['', '<html><script>alert(1)</script>', 'GIF89', '%PDF-1.7', 'BM', '{"name":"a"}'])
    expect([other, failure(text(other))]).toEqual([other, 'image-format'])
})

test('stores a GIF whose comment is HTML as GIF, without what follows its end', () => {
  const result = read(polyglot())
  expect(result).toMatchObject({ contentType: 'image/gif', width: 17, height: 11 })
  expect(Buffer.from('bytes' in result ? result.bytes : []).at(-1)).toBe(0x3b)
})

test('returns a result for every damaged image', () => {
  const random = seeded(7)
  for (let round = 0; round < 20_000; round++) {
    const [, file] = all[round % all.length] as (typeof all)[number]
    const bytes = new Uint8Array(file)
    for (let i = 0; i <= round % 4; i++)
      bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
    const result = read(bytes)
    if ('failure' in result) continue
    expect(result.width * result.height).toBeLessThanOrEqual(32 * 1024 * 1024)
    expect(result.bytes.length).toBeLessThanOrEqual(bytes.length)
  }
})
