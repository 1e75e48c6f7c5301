import type { Counted } from '@firn/gateway'
import type { Terminal } from '@firn/options'
import type { Chain } from './Chains.ts'

/** Prints the URLs of the chains, and example requests. */
export const print = (
  dataUrl: string,
  { gateway }: Counted.Counted,
  chains: readonly Chain[],
  terminal: Terminal,
): void => {
  for (const { chainId, about } of chains) {
    terminal.print(`gateway          ${gateway.url}/rpc/${chainId}  (${about.name})`)
  }
  printExamples(dataUrl, chains, terminal)
}

/** Prints example requests for the data of the first chain. */
export const printExamples = (
  dataUrl: string,
  chains: readonly { readonly chainId: bigint }[],
  terminal: Terminal,
): void => {
  const [{ chainId } = { chainId: 0n }] = chains
  terminal.print(`try              curl -s '${dataUrl}/v1/chains/${chainId}/blocks?pageSize=2'`)
  terminal.print(
    `                 curl -s '${dataUrl}/v2/chains/${chainId}/metrics/txCount?timeInterval=day'`,
  )
  terminal.print(`                 curl -sN '${dataUrl}/v1/changes/${chainId}?cursor=0'`)
}
