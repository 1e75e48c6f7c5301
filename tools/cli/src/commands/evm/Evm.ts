import { SlowLog, TrustedProxies } from '@firn/http'
import { Command } from '@firn/options'
import { CliError } from '../../CliError.ts'
import * as Database from '../Database.ts'
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
    if (reset !== undefined) await (await import('./EvmReset.ts')).reset(options, reset, terminal)
    if (demo) await (await import('./Demo.ts')).demo(options, terminal)
    else if (chain !== undefined) {
      const log = Database.logger(terminal)
      await SlowLog.during(options, log, () => EvmServing.evm({ ...options, chain }, terminal))
    }
  },
})
