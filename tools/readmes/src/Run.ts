import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TestPostgres } from '@firn/sql/testing'
import * as Block from './Block.ts'
import type { Clone } from './Clone.ts'
import * as Fences from './Fences.ts'
import * as Shell from './Shell.ts'
import type { World } from './World.ts'

/** Writes a line of output. */
export type Write = (line: string) => void

/** Markdown files to run, with the environment of their commands. */
export interface Job {
  readonly clone: Clone
  /** Folder for everything that the commands need. */
  readonly folder: string
  /** Markdown files, as paths in the clone. */
  readonly files: readonly string[]
  /** Whether to continue after a failed block. */
  readonly isAll: boolean
  readonly signal: AbortSignal
}

/** The members of a {@link World} that the commands need. */
export type Stand = Pick<World, 'env' | 'curl' | 'values' | 'release'>

/**
 * Time limits of a command. They are generous, because the first start of a database or some seconds of
 * fuzzing take longer on a busy machine.
 */
const PATIENCE: Shell.Patience = { runMs: 240_000, stopMs: 30_000 }

function format({ command, outcome }: Block.Result, file: string): string[] {
  const where = `${file}:${command.line}`
  const [first = ''] = command.text.split('\n')
  if (outcome.status === 'passed') return [`  ok      ${where}  ${first}`]
  if (outcome.status === 'skipped') return [`  skipped ${where}  ${first} (${outcome.reason})`]
  return [`  FAILED  ${where}  ${first}`, ...outcome.reason.split('\n').map((line) => `          ${line}`)]
}

async function runBlock(fence: Fences.Fence, job: Job, world: Stand): Promise<Block.Result[]> {
  const commands = Fences.commands(fence, Fences.isComplete)
  const missing = TestPostgres.missing()
  if (missing !== undefined && fence.lines.some((line) => line.includes('postgres://'))) {
    const outcome = { status: 'skipped', reason: `no PostgreSQL: ${missing}` } as const
    return commands.map((command) => ({ command, outcome }))
  }
  const home = mkdtempSync(join(job.folder, 'home-'))
  writeFileSync(join(home, '.curlrc'), world.curl)
  const folder = mkdtempSync(join(job.folder, 'shell-'))
  const env = { ...job.clone.env, ...world.env, HOME: home }
  const shell = Shell.create({ cwd: job.clone.root, env, folder, patience: PATIENCE, signal: job.signal })
  try {
    return await Block.run(commands, shell, await world.values(home, fence.lines.join('\n')))
  } finally {
    await world.release()
  }
}

/**
 * Runs every block of every file. Writes a line for each command, and a line with the counts of each file.
 * Stops at the first block that fails, unless `isAll` is set. Returns whether all commands passed.
 */
export async function runFiles(job: Job, world: Stand, write: Write): Promise<boolean> {
  let isPassed = true
  for (const file of job.files) {
    const results: Block.Result[] = []
    for (const fence of Fences.find(readFileSync(join(job.clone.root, file), 'utf8'))) {
      const begun = Date.now()
      const found = await runBlock(fence, job, world)
      results.push(...found)
      for (const line of found.flatMap((result) => format(result, file))) write(line)
      write(`          (${((Date.now() - begun) / 1000).toFixed(1)} s)`)
      const isFailed = found.some(({ outcome }) => outcome.status === 'failed')
      isPassed &&= !isFailed
      if (isFailed && !job.isAll) break
    }
    const count = (status: Block.Outcome['status']) =>
      results.filter(({ outcome }) => outcome.status === status).length
    const counts = `${count('passed')} passed, ${count('failed')} failed, ${count('skipped')} skipped`
    if (results.length > 0) write(`${file}: ${results.length} commands, ${counts}`)
    if (!isPassed && !job.isAll) return false
  }
  return isPassed
}
