import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as Command from './Command.ts'
import * as Mutation from './Mutation.ts'
import { sample } from './Sampling.ts'
import * as Trial from './Trial.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/**
 * Milliseconds added to the time limit of a mutant. Without this addition, the limit is three times the
 * duration of the tests on the unchanged file.
 */
const EXTRA_MS = 15_000
const LONGEST_MS = 600_000

function find(name: string): string | undefined {
  const folders = [name, ...['packages', 'services', 'tools', 'examples'].map((kind) => join(kind, name))]
  return folders
    .map((folder) => join(ROOT, folder))
    .find((folder) => existsSync(join(folder, 'package.json')))
}

function sources(folder: string): readonly string[] {
  return readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.(test|bench)\.ts$|(^|\/)(gen|testing|index\.ts)/.test(name))
    .map((name) => join(folder, 'src', name))
    .toSorted()
}

/** Tests the mutants of a package and prints those that no test noticed. */
async function runPackage(folder: string, { file = '', max, seed }: Command.Arguments): Promise<void> {
  const all = sources(folder)
    .filter((path) => path.includes(file))
    .flatMap((path) => {
      const text = readFileSync(path, 'utf8')
      return Mutation.list(path, text).map((mutation) => ({ path, text, mutation }))
    })
  const chosen = sample(all, max, seed)
  console.log(`${relative(ROOT, folder)}: ${chosen.length} of ${all.length} mutants`)
  const limits = new Map<string, number | undefined>()
  const counts: Record<Trial.Verdict, number> = { noticed: 0, 'timed out': 0, survived: 0, untested: 0 }
  for (const { path, text, mutation } of chosen) {
    if (!limits.has(path)) limits.set(path, await limitOf(folder, path))
    const limitMs = limits.get(path)
    const verdict =
      limitMs === undefined
        ? 'untested'
        : await Trial.run(folder, path, Mutation.apply(text, mutation), limitMs)
    counts[verdict] += 1
    if (verdict === 'survived') console.log(describe(path, text, mutation))
  }
  const { noticed, survived, untested } = counts
  console.log(
    `  ${noticed} noticed, ${counts['timed out']} timed out, ${survived} survived, ${untested} untested`,
  )
}

/**
 * Runs the tests of the unchanged file. Returns the time limit for its mutants in milliseconds, or undefined if no test
 * imports the file.
 */
async function limitOf(folder: string, path: string): Promise<number | undefined> {
  const start = performance.now()
  const verdict = await Trial.run(folder, path, undefined, LONGEST_MS)
  if (verdict === 'untested') {
    console.log(`  ${relative(ROOT, path)}: no test of the package imports this file`)
    return undefined
  }
  if (verdict === 'survived') return Math.min(3 * (performance.now() - start) + EXTRA_MS, LONGEST_MS)
  throw new RangeError(`the tests of the unchanged file ${relative(ROOT, path)} fail; fix them first`)
}

function describe(path: string, text: string, { start, end, replacement }: Mutation.Mutation): string {
  const line = text.slice(0, start).split('\n').length
  const before = text.slice(start, end).replaceAll(/\s+/g, ' ')
  return `  ${relative(ROOT, path)}:${line}: ${before} → ${replacement}\n      ${text.split('\n')[line - 1]?.trim()}`
}

try {
  const options = Command.parse(process.argv.slice(2), find)
  if (typeof options === 'string') console.log(options)
  else for (const folder of options.packages) await runPackage(folder, options)
} catch (error) {
  if (!(error instanceof RangeError || error instanceof TypeError)) throw error
  console.error(`mutants: ${error.message}`)
  process.exitCode = 2
}
