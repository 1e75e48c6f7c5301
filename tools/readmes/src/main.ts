import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFirnError } from '@firn/codec'
import * as Clone from './Clone.ts'
import * as Files from './Files.ts'
import { ReadmesError } from './ReadmesError.ts'
import { type Job, runFiles, type Write } from './Run.ts'
import * as Tutorial from './Tutorial.ts'
import * as World from './World.ts'

const USAGE = `Usage: readmes [--all] [<file>…]

Runs every fenced shell command of every README, or of the files named, in a fresh clone of HEAD with an empty HOME. A devnet
and a local EVM replace the public networks. Stops at the first command that fails; --all continues with the next block.
Exit status: 0 all passed, 1 a command failed, 2 wrong usage.`

const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url))
const INSIDE = '--inside='

function parse(argv: readonly string[]): { readonly isAll: boolean; readonly files: readonly string[] } {
  const option = argv.find((argument) => argument.startsWith('-') && argument !== '--all')
  if (option !== undefined)
    throw new ReadmesError(
      'READMES_USAGE',
      `unknown option ${option}: expected --all or the paths of Markdown files`,
    )
  return { isAll: argv.includes('--all'), files: argv.filter((argument) => argument !== '--all') }
}

/**
 * Returns the program and arguments that run a command in a network namespace with only loopback. Returns an
 * empty list if namespaces are not allowed.
 */
function isolation(): string[] {
  const up = 'ip link set lo up && exec "$@"'
  for (const flags of ['-n', '-rn']) {
    const wrapper = ['unshare', flags, '--', 'sh', '-c', up, 'sh']
    try {
      execFileSync(wrapper[0] as string, [...wrapper.slice(1), 'true'], { stdio: 'ignore' })
      return wrapper
    } catch {
      // Network namespaces are not allowed here, or a required program is missing.
    }
  }
  return []
}

/** Returns a signal that aborts when this process is interrupted or terminated. */
function untilEnded(): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => controller.abort())
  return controller.signal
}

/**
 * Runs the tutorials among the files, without the servers that replace the public networks: a tutorial starts all servers
 * that it needs. Returns whether all of them passed.
 */
async function runTutorials(job: Job, write: Write): Promise<boolean> {
  let arePassed = true
  for (const file of job.files.filter(Files.isTutorial)) {
    const begun = Date.now()
    const markdown = readFileSync(join(job.clone.root, file), 'utf8')
    try {
      const count = await Tutorial.run({ ...job, markdown })
      write(`${file}: ${count} steps passed (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
    } catch (error) {
      if (!isFirnError(error)) throw error
      arePassed = false
      write(`  FAILED  ${file}: ${error.message}`)
      if (!job.isAll) return false
    }
  }
  return arePassed
}

/** Runs the commands of the READMEs in the current network namespace, and returns the exit status. */
async function runInside(given: Omit<Job, 'signal'>, write: Write): Promise<number> {
  const signal = untilEnded()
  const job = { ...given, signal }
  const folder = join(job.folder, 'world')
  mkdirSync(folder)
  const env = { ...job.clone.env, HOME: folder }
  const arePassed = await runTutorials(job, write)
  const files = job.files.filter((file) => !Files.isTutorial(file))
  if (files.length === 0 || (!arePassed && !job.isAll)) return arePassed ? 0 : 1
  const world = await World.start({ root: job.clone.root, folder, env, signal })
  try {
    return (await runFiles({ ...job, files }, world, write)) && arePassed ? 0 : 1
  } finally {
    await world.close()
  }
}

/**
 * Clones the repository, installs its dependencies, and runs the commands, in a separate network namespace if
 * possible. Returns the exit status.
 */
async function runOutside(argv: readonly string[], write: Write): Promise<number> {
  const { isAll, files } = parse(argv)
  const folder = mkdtempSync(join(tmpdir(), 'firn-readmes-'))
  try {
    const clone = await Clone.create(CHECKOUT, folder)
    const job: Omit<Job, 'signal'> = {
      clone,
      folder,
      files: files.length > 0 ? files : [...Files.find(clone.root), ...Files.tutorials(clone.root)],
      isAll,
    }
    const wrapper = isolation()
    if (wrapper.length === 0) return await runInside(job, write)
    const self = [...process.execArgv, fileURLToPath(new URL('bin.ts', import.meta.url))]
    const [program = '', ...rest] = [...wrapper, process.execPath, ...self, `${INSIDE}${JSON.stringify(job)}`]
    const child = spawn(program, rest, { stdio: 'inherit' })
    process.once('SIGTERM', () => child.kill('SIGTERM'))
    // At a terminal, the child process also receives the interrupt, and ends the processes that it started.
    process.once('SIGINT', () => undefined)
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Runs the commands of the READMEs given in `argv`, or of all READMEs. Returns the exit status. */
export async function main(argv: readonly string[], write: Write = console.log): Promise<number> {
  if (argv.includes('--help') || argv.includes('-h')) {
    write(USAGE)
    return 0
  }
  const inside = argv.find((argument) => argument.startsWith(INSIDE))
  try {
    if (inside === undefined) return await runOutside(argv, write)
    return await runInside(JSON.parse(inside.slice(INSIDE.length)) as Omit<Job, 'signal'>, write)
  } catch (error) {
    if (!isFirnError(error)) throw error
    write(`readmes: ${error.message}`)
    return error.code === 'READMES_USAGE' ? 2 : 1
  }
}
