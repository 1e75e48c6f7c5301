import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { ROUTES } from './Routes.ts'

/**
 * Limits of what the first view loads, and of what another page loads in addition, minified and gzipped. Pages that
 * decode or verify messages load `@firn/warp` with BLS. The first view has what they share with the search.
 */
const LIMIT = 46_000
const PAGE_LIMIT = 12_000
const VERIFYING_PAGE_LIMIT = 48_000
const VERIFYING_PAGES = ['WarpMessage', 'WarpMessages', 'WarpTransaction', 'WarpVerify']

interface Bundled {
  readonly files: ReadonlyMap<string, Uint8Array>
}

let files: Bundled['files']
beforeAll(async () => {
  const build = new URL('../build.mjs', import.meta.url).href
  const { bundle } = (await import(build)) as { bundle: () => Promise<Bundled> }
  files = (await bundle()).files
})

/** Returns the sizes of files in bytes, gzipped. */
function sizeOf(names: Iterable<string>): number {
  return [...names].reduce((sum, name) => sum + gzipSync(files.get(name) ?? '').length, 0)
}

/** Returns the file of a page. Its name begins with the name of the page's module. */
function fileOf(page: string): string {
  const name = [...files.keys()].find((one) => new RegExp(`^${page}-[A-Z0-9]{8}\\.js$`).test(one))
  return name ?? expect.fail(`no file of the page ${page}`)
}

/** Returns files with all that they import statically. */
function withImports(names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>()
  const visit = (name: string) => {
    if (found.has(name)) return
    found.add(name)
    const text = Buffer.from(files.get(name) ?? []).toString()
    for (const [, next = ''] of text.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) visit(next)
  }
  names.forEach(visit)
  return found
}

/** Returns the files of the first view. Its page is loaded by the main module. */
function firstView(): ReadonlySet<string> {
  const page = Buffer.from(files.get('index.html') ?? []).toString()
  const names = [...page.matchAll(/(?:href|src)="console\/([^"]+)"/g)].map(([, name = '']) => name)
  expect(names.length).toBeGreaterThan(3)
  return withImports(['index.html', ...names, fileOf('Home')])
}

test('loads at most 46 kB for the first view', () => {
  expect(sizeOf(firstView())).toBeLessThan(LIMIT)
})

test('loads at most 12 kB more for each other page, and 48 kB if it decodes messages', () => {
  const first = firstView()
  const modules = globSync('pages/**/*.tsx', { cwd: import.meta.dirname }).map((path) =>
    basename(path, '.tsx'),
  )
  expect(modules.length).toBeGreaterThanOrEqual(Object.keys(ROUTES).length)
  for (const page of modules) {
    const more = [...withImports([fileOf(page)])].filter((name) => !first.has(name))
    const limit = VERIFYING_PAGES.includes(page) ? VERIFYING_PAGE_LIMIT : PAGE_LIMIT
    expect(sizeOf(more), page).toBeLessThan(limit)
  }
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
