import { BlockReader } from '@firn/evm'
import { inventedChain, inventedFacts } from '@firn/evm/testing'
import { type EvmStore, EvmWriter } from '@firn/evm-store'
import { openEvm, TEST_CHAIN } from '@firn/evm-store/testing'
import { database, TestPostgres } from '@firn/sql/testing'
import { expect, test } from 'vitest'
import { serveEvm } from '../testing/serveEvm.ts'

const CHAIN = `/v1/chains/${TEST_CHAIN.chainId}`
const reason = TestPostgres.missing()
if (reason !== undefined) process.stderr.write(`skipping the tests on PostgreSQL: ${reason}\n`)

const chain = inventedChain({ seed: 11, transactions: [2, 5], accounts: 4 })
const blocks = chain.grow(40).map((parts) => BlockReader.read(parts))

async function serve(store: EvmStore) {
  const writer = await EvmWriter.open(store, TEST_CHAIN)
  await writer.commit(
    blocks.map((block) => ({
      block,
      contracts: block.transactions.flatMap(({ logs }) => logs.map(({ address }) => inventedFacts(address))),
    })),
  )
  return serveEvm([store], { nativeBalance: async () => 1n })
}

test.skipIf(reason !== undefined)(
  'returns the same pages from PostgreSQL as from PGlite',
  { tags: ['postgres'] },
  async () => {
    const schema = `test_evm_${process.pid}_${Date.now().toString(36)}`
    const postgres = await openEvm({ url: await TestPostgres.url(), schema })
    try {
      const asks = [await serve(await openEvm()), await serve(postgres)] as const
      const [tx] = blocks.at(-1)?.transactions ?? []
      const logs = blocks.flatMap(({ transactions }) => transactions.flatMap((one) => one.logs))
      const hex = (bytes: Uint8Array | undefined) => `0x${Buffer.from(bytes ?? []).toString('hex')}`
      const senders = [
        ...new Set(blocks.flatMap(({ transactions }) => transactions.map(({ from }) => hex(from)))),
      ]
      const contracts = [...new Set(logs.map(({ address }) => hex(address)))]
      const paths = [
        ...['/blocks', '/blocks/3', '/blocks/3/transactions', '/transactions', '/transactions?status=failed'],
        `/transactions/${hex(tx?.hash)}`,
        ...senders.flatMap((of) => [
          ...['', ':listNative', ':listErc20', ':listErc721', ':listErc1155', ':listInternals'].map(
            (list) => `/addresses/${of}/transactions${list}`,
          ),
          ...['Erc20', 'Erc721', 'Erc1155', 'Collectibles'].map(
            (what) => `/addresses/${of}/balances:list${what}`,
          ),
          `/addresses/${of}/balances:listErc20?contractAddresses=${contracts}&blockNumber=20`,
          `/contracts/${of}/deployments`,
        ]),
        ...contracts.flatMap((of) => [
          `/tokens/${of}/transfers?startBlock=5&endBlock=30`,
          `/nfts/collections/${of}/tokens`,
          `/addresses/${of}`,
          `/contracts/${of}/transactions:getDeployment`,
        ]),
      ].map((path) => CHAIN + path)
      for (const first of [
        ...paths,
        '/v1/blocks',
        '/v1/transactions',
        '/v1/chains',
        `/v1/address/${senders[0]}/chains`,
      ]) {
        let token: string | undefined = ''
        for (let page = 0; page < 3 && token !== undefined; page++) {
          const url: string = token === '' ? first : `${first.split('?')[0]}?pageToken=${token}`
          const [expected, actual] = await Promise.all(asks.map((ask) => ask(url)))
          expect([url, actual?.status, actual?.json]).toEqual([url, expected?.status, expected?.json])
          token = expected?.json.nextPageToken
        }
      }
    } finally {
      await database(postgres).schema.dropSchema(schema).ifExists().cascade().execute()
      await postgres.close()
    }
  },
)
