import { createReadStream } from 'node:fs'
import { createCosts, LOG_FORMATS, type LogFormat, loadAccessLog, type MethodCosts } from '@firn/gateway'
import { CliError } from '../CliError.ts'
import type { Terminal } from '../Terminal.ts'
import * as Database from './Database.ts'
import type { DatabaseOptions } from './evm/EvmIndexing.ts'
import * as EvmServices from './evm/EvmServices.ts'

/** What `firn usage load` may be told. */
export type LoadOptions = DatabaseOptions & {
  readonly format: keyof typeof LOG_FORMATS
  readonly field?: LogFormat
  readonly cost?: MethodCosts
}

/** Counts the requests of an access log; its bad lines are told, and end the command with an error once all others are counted. */
export const load = async (file: string, options: LoadOptions, terminal: Terminal): Promise<void> => {
  const usage = await EvmServices.openUsage({ ...options, attach: true }, Database.logger(terminal))
  try {
    const loaded = await loadAccessLog({
      usage,
      open: () => createReadStream(file),
      format: { ...LOG_FORMATS[options.format], ...options.field },
      costs: createCosts(options.cost),
      signal: terminal.signal,
    })
    for (const { line, reason } of loaded.bad) terminal.note(`${file}:${line}: ${reason}`)
    terminal.print(`counted ${loaded.requests} requests; ${loaded.skippedLines} lines were counted before`)
    if (loaded.badLines > 0) {
      throw new CliError('CLI_INPUT', `${loaded.badLines} lines of ${file} could not be counted`)
    }
  } finally {
    await usage.close()
  }
}
