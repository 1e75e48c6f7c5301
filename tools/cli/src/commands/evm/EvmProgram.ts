import type { Command } from 'commander'
import { CliError } from '../../CliError.ts'
import type { Terminal } from '../../Terminal.ts'
import { withService } from '../DataApiProgram.ts'
import { chainId, port, withDatabase } from '../Flags.ts'
import { withChains } from './ChainFlags.ts'
import type * as Demo from './Demo.ts'
import type * as Evm from './Evm.ts'

/** Adds `firn evm`. */
export const add = (program: Command, terminal: Terminal): void => {
  const command = program
    .command('evm')
    .description('follow EVM chains and serve them over REST, with a gateway in front of their nodes')
    .option('--demo', 'start a local EVM with tokens and traffic, and serve that', false)
    .option('--once', 'with --demo: end once every endpoint was shown', false)
    .option(
      '--reset <chain id>',
      'remove a stored chain, as after its nodes began it anew; it is indexed again when it is followed',
      chainId,
    )
    .option('--evm-port <port>', 'with --demo: port of the local EVM; 0 for any free one', port, 0)
  withService(withDatabase(withChains(command)), 'port', 8700).action(
    async (options: Evm.Options & Demo.Options & { readonly demo: boolean; readonly reset?: bigint }) => {
      if (options.reset !== undefined)
        await (await import('./EvmReset.ts')).reset(options, options.reset, terminal)
      if (options.demo) return (await import('./Demo.ts')).demo(options, terminal)
      if (options.chain !== undefined) return (await import('./Evm.ts')).evm(options, terminal)
      if (options.reset !== undefined) return
      throw new CliError('CLI_INPUT', 'expected --chain <url> or --demo, got neither')
    },
  )
}
