import { isNodeError } from '@firn/node-api'
import { LocalAccess } from '@firn/operate'
import { Command, Log, Program } from '@firn/options'
import { Diagnostics } from '@firn/tracing'
import closeWithGrace from 'close-with-grace'
import { type Configuration, check, OPTIONS, wrong } from './Configuration.ts'
import { openLoggers, openService, type Service } from './Service.ts'
import { VERSION } from './Version.ts'

const COMMAND = Command.create({
  description: 'Serves the API of an Avalanche node from a database that another process fills.',
  example: '--database-url postgres://me@127.0.0.1/firn',
  options: OPTIONS,
  isService: true,
  otherPrefix: 'AVAGO_',
  check: (configuration) => {
    check(configuration)
    if (configuration.from !== undefined)
      throw wrong('from: this program only reads a database. Use firn node to index as well.')
  },
  run,
})

/**
 * Starts the program, which runs until a signal ends the process. Resolves once the server listens. A startup error
 * ends the process with a one-sentence message and status 1 or 2. If the index would become incomplete, the process
 * ends with status 0, as in the node.
 */
export function main(process: Program.Process): Promise<void> {
  return Program.main({ name: 'firn-node', version: VERSION, load: () => COMMAND }, process)
}

async function run(configuration: Configuration, { terminal }: Command.Context): Promise<void> {
  const display = Log.toReadable(process.stdout, process.env)
  const loggers = openLoggers(configuration, display)
  const program = { name: 'firn-node', version: VERSION }
  const diagnostics = await Diagnostics.start(configuration, program, loggers.get('main'))
  let service: Service | undefined
  const delay = configuration.httpShutdownTimeout + configuration.httpShutdownWait + 2_000
  const grace = closeWithGrace({ delay }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await service?.close()
    await diagnostics.close()
    loggers.close()
  })
  try {
    const local = LocalAccess.open({ folder: configuration.dataDir, log: loggers.get('main') })
    service = await openService({ configuration, loggers, display, local })
    LocalAccess.announce(local, service.url, terminal)
  } catch (error) {
    // Otherwise the shutdown handler would end the process with status 0 in spite of the error.
    grace.uninstall()
    await diagnostics.close()
    loggers.close()
    if (!isNodeError(error) || error.code !== 'NODE_INDEX') throw error
    process.stderr.write(`${error.message}\n`)
  }
}
