import { createClient, isClientError } from '@firn/client'

/** Reads the blocks of a chain and an error with the client, in a page of a browser. */
export async function main({ url }: { readonly url: string }) {
  const client = createClient({ url })
  const numbers: string[] = []
  for await (const block of client.evm.getLatestBlocks.items({ chainId: '43112', pageSize: 20 })) {
    numbers.push(block.blockNumber)
  }
  const error = await client.evm
    .getBlock({ chainId: '43112', blockId: '999999' })
    .catch((caught: unknown) => caught)
  return { numbers, code: isClientError(error) ? error.code : String(error) }
}
