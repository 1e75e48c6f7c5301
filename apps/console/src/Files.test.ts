import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'

/** Limit of what the first view loads, minified and gzipped. */
const LIMIT = 40_000

interface Bundled {
  readonly files: ReadonlyMap<string, Uint8Array>
}

let files: Bundled['files']
beforeAll(async () => {
  const build = new URL('../build.mjs', import.meta.url).href
  const { bundle } = (await import(build)) as { bundle: () => Promise<Bundled> }
  files = (await bundle()).files
})

test('loads at most 40 kB for the first view', () => {
  const page = Buffer.from(files.get('index.html') ?? []).toString()
  const names = [...page.matchAll(/(?:href|src)="console\/([^"]+)"/g)].map(([, name = '']) => name)
  // The first page is loaded by the main module.
  const home = [...files.keys()].filter((name) => name.startsWith('Home-'))
  const sizes = ['index.html', ...names, ...home].map((name) => gzipSync(files.get(name) ?? '').length)
  expect(names.length).toBeGreaterThan(3)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(LIMIT)
})

test('refers to no other server', () => {
  for (const [name, contents] of files) {
    const urls =
      Buffer.from(contents)
        .toString()
        .match(/https?:\/\/(?!www\.w3\.org\/)[\w.-]+/g) ?? []
    expect([name, urls]).toEqual([name, []])
  }
})

test('never parses text as markup', () => {
  const folder = import.meta.dirname
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.tsx?$/.test(path),
  )
  expect(sources.length).toBeGreaterThan(40)
  for (const path of sources.filter((one) => !/\.test\.ts$/.test(one))) {
    const found =
      /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(/.exec(
        readFileSync(join(folder, path), 'utf8'),
      )
    expect([path, found?.[0]]).toEqual([path, undefined])
  }
})
