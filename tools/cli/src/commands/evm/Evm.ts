import { TrustedProxies } from '@firn/http'
import { Database, EvmReset } from '@firn/indexer'
import { Command } from '@firn/options'
import { Diagnostics } from '@firn/tracing'
import { CliError } from '../../CliError.ts'
import { programOf } from '../../programOf.ts'
import * as EvmServing from './EvmServing.ts'

export const COMMAND = Command.create({
  description: 'Indexes EVM chains and serves them over REST, with a gateway to their nodes.',
  example: '--chain https://api.avax-test.network/ext/bc/C/rpc',
  options: EvmServing.OPTIONS,
  isService: true,
  check: (options) => {
    TrustedProxies.create(options)
    const { chain, demo, reset } = options
    if (chain === undefined && !demo && reset === undefined)
      throw new CliError('CLI_USAGE', 'nothing to follow: pass --chain <url> or --demo')
  },
  run: async (options, { terminal }) => {
    const { chain, demo, reset } = options
    if (reset !== undefined) await EvmReset.reset(options, reset, terminal)
    if (demo) await (await import('./Demo.ts')).demo(options, terminal)
    else if (chain !== undefined) {
      const log = Database.logger(terminal)
      await Diagnostics.during(options, programOf('evm'), log, () =>
        EvmServing.evm({ ...options, chain }, terminal),
      )
    }
  },
})
