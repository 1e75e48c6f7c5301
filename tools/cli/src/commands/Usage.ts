import { createReadStream } from 'node:fs'
import {
  createCosts,
  GatewayCommand,
  isField,
  LOG_FORMATS,
  type LogFormat,
  loadAccessLog,
} from '@firn/gateway'
import { Database } from '@firn/indexer'
import { Command, Common, option, type Terminal, Type, type Values } from '@firn/options'
import { UsageDatabase } from '@firn/service-store'
import { CliError } from '../CliError.ts'

/** Type of an option that names the JSON member for each field of an access log, as `<field>=<member>`. */
const FIELDS: Type.Type<LogFormat> = Type.create({
  placeholder: 'field=member',
  expected: '<field>=<member>, such as method=request.rpcMethod',
  parse: (text): LogFormat | undefined => {
    const [, name = '', member] = /^(\w+)=(\S+)$/.exec(text) ?? []
    return isField(name) && member !== undefined ? { [name]: member } : undefined
  },
  combine: (before, next) => ({ ...before, ...next }),
})

const LOAD_OPTIONS = {
  format: option(Type.choice(...(Object.keys(LOG_FORMATS) as (keyof typeof LOG_FORMATS)[])), {
    default: 'firn',
    help: "Format of the log's JSON objects.",
  }),
  field: option(FIELDS, {
    help: 'Member of the JSON objects that contains a field, if it differs from the format. Repeat it for more fields.',
  }),
  ...GatewayCommand.COST,
  ...Common.DATABASE,
}

/** Options of `firn usage load`. */
export type LoadOptions = Values<typeof LOAD_OPTIONS>

export const LOAD = Command.create({
  description:
    'Counts the requests of an access log with one JSON object per line. Lines that were counted before are skipped.',
  example: 'access.log --format firn',
  operands: [{ name: 'file', help: 'The access log file.' }],
  options: LOAD_OPTIONS,
  run: (options, { operands: [file = ''], terminal }) => load(file, options, terminal),
})

/**
 * Counts the requests of an access log. Prints an error for each invalid line and fails at the end, after
 * counting all other lines.
 */
export const load = async (file: string, options: LoadOptions, terminal: Terminal): Promise<void> => {
  const usage = await UsageDatabase.openMigrated({ ...options, attach: true }, Database.logger(terminal))
  try {
    const loaded = await loadAccessLog({
      usage,
      open: () => createReadStream(file),
      format: { ...LOG_FORMATS[options.format], ...options.field },
      costs: createCosts(options.cost),
      signal: terminal.signal,
    })
    for (const { line, reason } of loaded.bad) terminal.note(`${file}:${line}: ${reason}`)
    terminal.print(
      `counted ${loaded.requests} requests; skipped ${loaded.skippedLines} lines that were counted before`,
    )
    if (loaded.badLines > 0) {
      throw new CliError('CLI_INPUT', `${loaded.badLines} lines of ${file} could not be counted`)
    }
  } finally {
    await usage.close()
  }
}
