import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

const BUNDLES = 'node_modules/.firn-bundles'
/** Starts the module `name` beside it in a thread, and prints its own name. */
const PROGRAM = (name: string) => `import { Worker } from 'node:worker_threads'
new Worker(new URL(process.argv[2]))
console.log(${JSON.stringify(name)})
`

/** Reads a stack trace, and prints how much memory is in use because of it. */
const MEASURING = `import { setTimeout } from 'node:timers/promises'
gc()
const before = process.memoryUsage().heapUsed
console.log('names the source: ' + new Error('expected').stack.includes('/src/main.ts:4:'))
await setTimeout(10)
gc()
console.log(Math.round((process.memoryUsage().heapUsed - before) / 2 ** 20) + ' MiB kept')
`

let folder: string
let root: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'firn-bundled-')))
  root = join(folder, 'clone')
  for (const name of ['tools/start/src', 'src', `${BUNDLES}/1`])
    mkdirSync(join(root, name), { recursive: true })
  for (const name of ['bundled.mjs', 'BundleManifest.mjs'])
    copyFileSync(new URL(name, import.meta.url), join(root, 'tools/start/src', name))
  writeFileSync(join(root, 'src/main.ts'), PROGRAM('program from sources'))
  writeFileSync(join(root, 'src/thread.ts'), "console.log('thread from sources')\n")
  writeFileSync(join(root, 'src/part.ts'), 'export {}\n')
  writeFileSync(join(root, BUNDLES, '1/main.mjs'), PROGRAM('program from the bundle'))
  writeFileSync(join(root, BUNDLES, '1/thread.mjs'), "console.log('thread from the bundle')\n")
  const inputs = ['src/main.ts', 'src/thread.ts', 'src/part.ts'].map((path) => {
    const { mtimeMs, size } = statSync(join(root, path))
    return [path, `${mtimeMs} ${size}`]
  })
  const programs = ['main', 'thread'].map((name) => [`src/${name}.ts`, `${BUNDLES}/1/${name}.mjs`])
  writeFileSync(join(root, BUNDLES, 'manifest.json'), JSON.stringify({ root: `${root}/`, programs, inputs }))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Runs the program, and returns what the program and its thread printed. */
function run(at = root): string[] {
  const thread = `file://${join(at, 'src/thread.ts')}`
  const argv = [
    '--expose-gc',
    '--import',
    join(at, 'tools/start/src/bundled.mjs'),
    join(at, 'src/main.ts'),
    thread,
  ]
  const env = { PATH: process.env['PATH'] ?? '' }
  return execFileSync(process.execPath, argv, { env, encoding: 'utf8' }).trim().split('\n').sort()
}

const SOURCES = ['program from sources', 'thread from sources']

describe('a process with the module `bundled.mjs`', { tags: ['unix'] }, () => {
  it('runs the program and its threads from the bundle', () => {
    expect(run()).toEqual(['program from the bundle', 'thread from the bundle'])
  })

  it('names sources in stack traces, and does not keep the source map', () => {
    const mappings = `AAAA${';AACA'.repeat(200_000)}`
    const map = { version: 3, sources: ['../../../src/main.ts'], names: [], mappings }
    writeFileSync(join(root, BUNDLES, '1/main.mjs.map'), JSON.stringify(map))
    writeFileSync(join(root, BUNDLES, '1/main.mjs'), MEASURING)
    expect(run()).toEqual(['0 MiB kept', 'names the source: true'])
  })

  it('runs from sources after one of them has changed', () => {
    writeFileSync(join(root, 'src/part.ts'), 'export {} // changed\n')
    expect(run()).toEqual(SOURCES)
  })

  it('runs from sources after one of them was removed', () => {
    rmSync(join(root, 'src/part.ts'))
    expect(run()).toEqual(SOURCES)
  })

  it('runs from sources in a moved folder, because a bundle contains paths', () => {
    const moved = join(folder, 'moved')
    renameSync(root, moved)
    expect(run(moved)).toEqual(SOURCES)
  })

  it('runs from sources without a bundle', () => {
    rmSync(join(root, BUNDLES), { recursive: true })
    expect(run()).toEqual(SOURCES)
  })
})
