import { LocalAccess } from '@firn/operate'
import { Command, limitHeapGrowth, Program, type Terminal } from '@firn/options'
import { Diagnostics } from '@firn/tracing'
import closeWithGrace from 'close-with-grace'
import { type Configuration, check } from './configuration/Configuration.ts'
import { OPTIONS } from './configuration/Options.ts'
import { RELAYER_KEYS } from './configuration/RelayerKeys.ts'
import { AggregatorError } from './errors/AggregatorError.ts'
import { freeMemory } from './internal/freeMemory.ts'
import { createAggregatorService } from './Service.ts'
import { createLogger } from './ServiceLogger.ts'
import { VERSION } from './Version.ts'

/**
 * The command that runs the service until a signal ends the process. It resolves once the service listens.
 */
export const COMMAND: Command.Command = Command.create({
  description: 'Collects BLS signatures of Avalanche validators and returns signed Warp messages.',
  example: '--network fuji --api-port 8080',
  options: OPTIONS,
  isService: true,
  otherPrefix: '',
  otherKeys: RELAYER_KEYS,
  check,
  run: async (configuration, { terminal }) => run(configuration, terminal),
})

const PROGRAM = { name: 'firn-aggregator', version: VERSION }

/** Runs the program with the arguments, environment and files of a process. */
export function main(process: Program.Process): Promise<void> {
  return Program.main({ ...PROGRAM, load: () => COMMAND }, process)
}

/** In percent. With a thousand peers, limiting it saves about 90 MB and costs no measurable processor time. */
const HEAP_GROWTH = 50

async function run(configuration: Configuration, terminal: Terminal): Promise<void> {
  const starting = new AbortController()
  let close = async () =>
    starting.abort(new AggregatorError('AGGREGATOR_CLOSING', 'stopped by a signal during the start'))
  const grace = closeWithGrace({ delay: configuration.shutdownTimeout }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await close()
  })
  limitHeapGrowth(HEAP_GROWTH)
  const logger = createLogger(configuration)
  const diagnostics = await Diagnostics.start(configuration, PROGRAM, logger)
  const local = LocalAccess.open({ folder: configuration.dataDir, log: logger })
  const options = { signal: starting.signal, logger, local }
  const service = await createAggregatorService(configuration, options).catch(async (error) => {
    await diagnostics.close()
    // Otherwise the shutdown handler would end the process with status 0 in spite of the error.
    grace.uninstall()
    throw error
  })
  close = async () => {
    await service.close()
    await diagnostics.close()
  }
  freeMemory()
  const metrics = service.metricsUrl === undefined ? '' : `, metrics on ${service.metricsUrl}`
  terminal.print(
    `firn-aggregator ${VERSION} listens on ${service.url} for network ${service.networkId}${metrics}`,
  )
  LocalAccess.announce(local, service.url, terminal)
}
