import { readFileSync } from 'node:fs'
import { isFirnError } from '@firn/codec'
import { isNodeError } from '@firn/node-api'
import closeWithGrace from 'close-with-grace'
import * as Help from './configuration/Help.ts'
import * as Layers from './configuration/Layers.ts'
import type { Configuration } from './configuration/Options.ts'
import { openService, type Service } from './Service.ts'
import { VERSION } from './Version.ts'

const PROGRAM = 'firn-node'

/**
 * Serves a database that somebody else fills, with the configuration of the command line, the environment and the file that they
 * name, until a signal ends the process. Resolves when it listens; what can't be used ends it with one sentence and status 1, an
 * index that would miss something with status 0, as the node does.
 */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    const wish = Layers.resolve({
      argv,
      environment: process.env,
      readFile: (path) => readFileSync(path, 'utf8'),
    })
    if (wish.kind === 'help') process.stdout.write(Help.text(PROGRAM))
    else if (wish.kind === 'version') process.stdout.write(`${VERSION}\n`)
    else await run(wish.configuration)
  } catch (error) {
    if (!isFirnError(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = isNodeError(error) && error.code === 'NODE_INDEX' ? 0 : 1
  }
}

async function run(configuration: Configuration): Promise<void> {
  if (configuration.from !== '')
    throw Layers.wrong('from: this program only reads a database; firn node indexes as well')
  let service: Service | undefined
  const delay = configuration.httpShutdownTimeout + configuration.httpShutdownWait + 2_000
  const grace = closeWithGrace({ delay }, async ({ err }) => {
    if (err !== undefined) process.stderr.write(`${err.stack ?? err.message}\n`)
    await service?.close()
  })
  service = await openService({ configuration, display: process.stdout }).catch((error) => {
    // Its listener for the end of the event loop would end the process with status 0.
    grace.uninstall()
    throw error
  })
}
