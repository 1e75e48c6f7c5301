import { readFileSync } from 'node:fs'
import { isFirnError } from '@firn/codec'
import closeWithGrace from 'close-with-grace'
import { AggregatorError } from './AggregatorError.ts'
import * as Help from './Help.ts'
import * as Layers from './Layers.ts'
import { createAggregatorService } from './Service.ts'
import { VERSION } from './Version.ts'

/**
 * Runs the service with the configuration of the command line, the environment and the file they name, until a signal
 * ends the process. Resolves when it listens; a configuration that can't be used ends it with one sentence and status 1.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const wish = Layers.resolve({
      argv,
      environment: process.env,
      readFile: (path) => readFileSync(path, 'utf8'),
    })
    if (wish.kind === 'help') process.stdout.write(Help.text())
    else if (wish.kind === 'version') process.stdout.write(`${VERSION}\n`)
    else await run(wish.configuration)
  } catch (error) {
    if (!isFirnError(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}

async function run(configuration: Parameters<typeof createAggregatorService>[0]): Promise<void> {
  const starting = new AbortController()
  let close = async () => starting.abort(new AggregatorError('AGGREGATOR_CLOSING', 'stopped while starting'))
  const grace = closeWithGrace({ delay: configuration.shutdownTimeoutSeconds * 1000 }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await close()
  })
  const service = await createAggregatorService(configuration, { signal: starting.signal }).catch((error) => {
    // Its listener for the end of the event loop would end the process with status 0.
    grace.uninstall()
    throw error
  })
  close = service.close
  const elsewhere = service.metricsUrl === undefined ? '' : `, metrics on ${service.metricsUrl}`
  process.stdout.write(
    `firn-aggregator ${VERSION} listens on ${service.url} for network ${service.networkId}${elsewhere}\n`,
  )
}
