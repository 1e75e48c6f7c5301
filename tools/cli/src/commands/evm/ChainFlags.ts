import { type Command, InvalidArgumentError } from 'commander'
import { port, url } from '../Flags.ts'
import { withGateway } from '../GatewayOptions.ts'
import * as Chains from './Chains.ts'

const chain = (text: string, before: readonly Chains.Named[] = []): readonly Chains.Named[] => {
  try {
    return [...before, Chains.parse(text)]
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message)
  }
}

/** Adds the flags of EVM chains and of the gateway in front of their nodes. */
export const withChains = (command: Command): Command =>
  withGateway(command)
    .option(
      '--chain <url>',
      "an EVM chain's node, or several separated by commas; repeat it for more chains; <chain id>=<url> where no node tells it",
      chain,
    )
    .option('--chain-details <file>', 'names, tokens and first blocks of chains by chain id, as JSON')
    .option(
      '--ipfs-gateway <url>',
      'where metadata of tokens with ipfs: URIs is fetched; repeat it for more',
      url,
    )
    .option('--gateway-port <port>', "port of the gateway in front of the chains' nodes", port, 8702)
