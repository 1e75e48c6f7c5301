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
  for (const name of ['tools', 'src', `${BUNDLES}/1`]) mkdirSync(join(root, name), { recursive: true })
  copyFileSync(new URL('../../bundled.mjs', import.meta.url), join(root, 'tools/bundled.mjs'))
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
  const argv = ['--expose-gc', '--import', join(at, 'tools/bundled.mjs'), join(at, 'src/main.ts'), thread]
  const env = { PATH: process.env['PATH'] ?? '' }
  return execFileSync(process.execPath, argv, { env, encoding: 'utf8' }).trim().split('\n').sort()
}

const SOURCES = ['program from sources', 'thread from sources']

describe('programs that have been bundled', { tags: ['unix'] }, () => {
  it('run from the bundle, with their threads', () => {
    expect(run()).toEqual(['program from the bundle', 'thread from the bundle'])
  })

  it('name sources in stack traces, and do not keep the source map', () => {
    const mappings = `AAAA${';AACA'.repeat(200_000)}`
    const map = { version: 3, sources: ['../../../src/main.ts'], names: [], mappings }
    writeFileSync(join(root, BUNDLES, '1/main.mjs.map'), JSON.stringify(map))
    writeFileSync(join(root, BUNDLES, '1/main.mjs'), MEASURING)
    expect(run()).toEqual(['0 MiB kept', 'names the source: true'])
  })

  it('run from sources after a change of one of them', () => {
    writeFileSync(join(root, 'src/part.ts'), 'export {} // changed\n')
    expect(run()).toEqual(SOURCES)
  })

  it('run from sources if one of them is gone', () => {
    rmSync(join(root, 'src/part.ts'))
    expect(run()).toEqual(SOURCES)
  })

  it('run from sources in another folder, because a bundle contains the paths of its own', () => {
    const moved = join(folder, 'moved')
    renameSync(root, moved)
    expect(run(moved)).toEqual(SOURCES)
  })

  it('run from sources without a bundle', () => {
    rmSync(join(root, BUNDLES), { recursive: true })
    expect(run()).toEqual(SOURCES)
  })
})
