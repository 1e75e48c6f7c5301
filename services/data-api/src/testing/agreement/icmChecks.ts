import { type Body, type Checks, pick, type Reader, total, unique } from './Checks.ts'

/** Interchain messages whose answers are compared. */
const messages = (reader: Reader) => reader.all('/v1/icm/messages', 'messages')

/** Returns the message without the contract, whose member has another name in the former API. */
function common({ icmContractAddress: _icm, teleporterContractAddress: _former, ...message }: Body): Body {
  return message
}

/** Returns the messages of a list of the former API in the form of the current one. */
function current({ teleporterContractAddress: icmContractAddress, ...message }: Body): Body {
  return { ...message, icmContractAddress }
}

const routeOf = ({ sourceBlockchainId, destinationBlockchainId }: Body) =>
  `${sourceBlockchainId} ${destinationBlockchainId}`

/** Comparisons of interchain messages. */
export const ICM_CHECKS: Checks<Reader> = {
  listIcmMessages: async (reader, same) => {
    const all = await messages(reader)
    for (const message of all)
      same(message.messageId, message, await reader.one(`/v1/icm/messages/${message.messageId}`))
    for (const [name, value] of [
      ['sourceBlockchainId', 'sourceBlockchainId'],
      ['destinationBlockchainId', 'destinationBlockchainId'],
      ['from', 'from'],
      ['to', 'to'],
    ] as const)
      for (const [key, expected] of Map.groupBy(all, (message) => message[value]))
        same(`${name} ${key}`, await reader.all(`/v1/icm/messages?${name}=${key}`, 'messages'), expected)
  },
  listIcmMessagesByAddress: async (reader, same) => {
    const all = await messages(reader)
    for (const address of unique(all.flatMap(({ from, to }) => [from, to]))) {
      const expected = all.filter(({ from, to }) => from === address || to === address)
      same(address, await reader.all(`/v1/icm/addresses/${address}/messages`, 'messages'), expected)
    }
  },
  listTeleporterMessagesByAddress: async (reader, same) => {
    for (const address of unique((await messages(reader)).flatMap(({ from, to }) => [from, to]))) {
      const former = await reader.all(`/v1/teleporter/addresses/${address}/messages`, 'messages')
      const expected = await reader.all(`/v1/icm/addresses/${address}/messages`, 'messages')
      same(address, former.map(current), expected)
    }
  },
  listTeleporterMessages: async (reader, same) => {
    const former = await reader.all('/v1/teleporter/messages', 'messages')
    same.whole('all', former.map(current), await messages(reader))
    for (const message of former)
      same(message.messageId, message, await reader.one(`/v1/teleporter/messages/${message.messageId}`))
  },
  getIcmMessageStory: async (reader, same) => {
    for (const message of await messages(reader)) {
      const story = await reader.one(`/v1/icm/messages/${message.messageId}/story`)
      const {
        icmContractAddress: contractAddress,
        sourceTransaction,
        destinationTransaction,
        rewardDetails: fee,
      } = message
      same(message.messageId, { ...common(message), contractAddress, fee, status: story?.status }, story)
      for (const [type, tx] of [
        ['sent', sourceTransaction],
        ['received', destinationTransaction],
      ] as const) {
        if (tx === undefined) continue
        const event = story?.events.find((one: Body) => one.type === type)
        same(message.messageId, pick(tx, 'txHash', 'timestamp', 'gasSpent'), event)
      }
    }
  },
  getICMSummary: async (reader, same) => {
    const all = await messages(reader)
    const groupBy = 'srcBlockchainId,destBlockchainId'
    const { result, results } = await reader.one(`/v2/icm/summary?groupBy=${groupBy}`)
    same('all', result.allTime, all.length)
    const routes = Map.groupBy(all, routeOf)
    const found = results.map((one: Body) => `${one.srcBlockchainId} ${one.destBlockchainId} ${one.allTime}`)
    same('routes', found.toSorted(), [...routes].map(([route, own]) => `${route} ${own.length}`).toSorted())
  },
  getICMTimeseries: async (reader, same) => {
    const all = await messages(reader)
    const timeOf = ({ sourceTransaction, destinationTransaction }: Body) =>
      (sourceTransaction ?? destinationTransaction).timestamp
    for (const interval of ['hour', 'day', 'week', 'month']) {
      const path = `/v2/icm/timeseries?timeInterval=${interval}`
      const found = await reader.all(path, 'results')
      for (const [i, { timestamp, value }] of found.entries()) {
        const end = found[i - 1]?.timestamp ?? Number.POSITIVE_INFINITY
        const own = all.filter((message) => timeOf(message) >= timestamp && timeOf(message) < end)
        same(`${interval} ${timestamp}`, value, own.length)
      }
      const routes = await reader.all(`${path}&groupBy=srcBlockchainId,destBlockchainId`, 'results')
      same(
        interval,
        total(routes, ({ value }) => value),
        String(all.length),
      )
    }
  },
  getTeleporterMetricsByChain: async (reader, same) => {
    const all = await messages(reader)
    const { chains } = await reader.one('/v2/chains')
    for (const { evmChainId } of chains) {
      const countOf = async (metric: string) =>
        (await reader.one(`/v2/chains/${evmChainId}/teleporterMetrics/${metric}`))?.result.value
      const sent = all.filter(
        ({ sourceEvmChainId: id, sourceTransaction: tx }) => id === String(evmChainId) && tx !== undefined,
      )
      const received = all.filter(
        ({ destinationEvmChainId: id, destinationTransaction: tx }) =>
          id === String(evmChainId) && tx !== undefined,
      )
      same(evmChainId, await countOf('teleporterSourceTxnCount'), sent.length)
      same(evmChainId, await countOf('teleporterDestinationTxnCount'), received.length)
      same(evmChainId, await countOf('teleporterTotalTxnCount'), sent.length + received.length)
    }
  },
}
