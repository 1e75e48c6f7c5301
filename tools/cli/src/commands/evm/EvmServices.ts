import { Serving } from '@firn/data-api'
import type { Counted } from '@firn/gateway'
import type { Chains } from '@firn/indexer'
import type { Terminal } from '@firn/options'

/** Prints the URLs of the chains, and example requests. */
export const print = (
  dataUrl: string,
  { gateway }: Counted.Counted,
  chains: readonly Chains.Chain[],
  terminal: Terminal,
): void => {
  for (const { chainId, about } of chains) {
    terminal.print(`gateway          ${gateway.url}/rpc/${chainId}  (${about.name})`)
  }
  Serving.printChainExamples(dataUrl, chains, terminal)
}
