import { SERVICES, SKIPPED } from './exceptions.ts'
import type { Command } from './Fences.ts'
import { fill, type Values } from './Placeholders.ts'
import type { Running, Shell } from './Shell.ts'

/** Outcome of one command. */
export type Outcome =
  | { readonly status: 'passed' }
  | { readonly status: 'skipped'; readonly reason: string }
  | { readonly status: 'failed'; readonly reason: string }

/** A command with its outcome. */
export interface Result {
  readonly command: Command
  readonly outcome: Outcome
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/**
 * Environment variable with the URL of the database server that the services of a block share. Without a
 * server, the services use an embedded database, which only one process can open.
 */
const DATABASE = 'FIRN_DATABASE_URL'

/** Creates a tracker for the running services of a block. */
function createServices(shell: Shell) {
  const isOnServer = (text: string) => text.includes('postgres://') || shell.variable(DATABASE) !== undefined
  let running: { readonly command: Command; readonly it: Running; readonly isShared: boolean }[] = []
  const take = async (stops: (one: (typeof running)[number]) => boolean): Promise<Result[]> => {
    const ending = running.filter(stops)
    running = running.filter((one) => !stops(one))
    const results: Result[] = []
    for (const { command, it } of ending) {
      const failure = await it.stop().then(
        () => undefined,
        (error: unknown) => reasonOf(error),
      )
      if (failure !== undefined) results.push({ command, outcome: { status: 'failed', reason: failure } })
    }
    return results
  }
  return {
    add: (command: Command, it: Running) => running.push({ command, it, isShared: isOnServer(it.text) }),
    /** Stops the services that cannot run at the same time as the next service. */
    beforeService: () => take(({ isShared }) => !isShared),
    ended: () => take(({ it }) => !it.isUp()),
    all: () => take(() => true),
  }
}

/**
 * Runs the commands of a block in sequence, stops at the first failure, and returns the results. A service
 * keeps running while clients run, and is interrupted before the next service or at the end. With a shared
 * database server, several services run at the same time.
 */
export async function run(commands: readonly Command[], shell: Shell, values: Values): Promise<Result[]> {
  const results: Result[] = []
  const services = createServices(shell)
  const hasFailed = () => results.some(({ outcome }) => outcome.status === 'failed')
  for (const command of commands) {
    const skipped = SKIPPED.find((it) => it.command.test(command.text))
    if (skipped !== undefined) {
      results.push({ command, outcome: { status: 'skipped', reason: skipped.reason } })
      continue
    }
    const service = SERVICES.find((it) => it.command.test(command.text))
    try {
      const text = fill(command.text, values)
      if (service !== undefined && !service.isClient) results.push(...(await services.beforeService()))
      if (hasFailed()) break
      if (service === undefined) await shell.run(text)
      else services.add(command, await shell.start(text, service.ready))
      results.push(...(await services.ended()))
      results.push({ command, outcome: { status: 'passed' } })
    } catch (error) {
      results.push({ command, outcome: { status: 'failed', reason: reasonOf(error) } })
    }
    if (hasFailed()) break
  }
  results.push(...(await services.all()))
  return results
}
