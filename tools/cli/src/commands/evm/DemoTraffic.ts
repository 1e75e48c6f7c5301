import { setTimeout as sleep } from 'node:timers/promises'
import { createDemo, type Demo, startLocalEvm } from '@firn/demo-chain'
import type { Terminal } from '@firn/options'
import * as Progress from '../../Progress.ts'
import { freePort } from './freePort.ts'

/** Chain id of the local EVM. */
export const CHAIN_ID = 4_242

/** Name, network and token of the local chain. */
export const ABOUT = {
  name: 'Demo chain',
  network: 'testnet',
  token: { name: 'Demo coin', symbol: 'COIN', decimals: 18 },
} as const

const DAYS = 14
const BLOCKS_A_DAY = 6
const DAY = 86_400

/** A local EVM chain with tokens and traffic. */
export type DemoTraffic = {
  readonly url: string
  readonly made: Demo
  /** Produces one block per second, and sends some requests to a gateway, until the signal is aborted. */
  keepGoing(gatewayUrl: string, signal: AbortSignal): Promise<void>
  close(): Promise<void>
}

/** Starts a local EVM chain with two weeks of traffic. Port 0 picks any free one. */
export const start = async (port: number, terminal: Terminal): Promise<DemoTraffic> => {
  const now = Math.floor(Date.now() / 1_000)
  const begin = now - DAYS * DAY
  const local = await Progress.during(terminal, 'starting a local EVM', async () =>
    startLocalEvm({
      port: port === 0 ? await freePort() : port,
      chainId: CHAIN_ID,
      genesisTime: begin - 60,
      signal: terminal.signal,
    }),
  )
  try {
    const made = await Progress.during(terminal, `generating ${DAYS} days of traffic`, () =>
      history(local.url, begin, now - 60),
    )
    const close = () => local.close()
    return { url: local.url, made, keepGoing: (url, signal) => keepGoing(made, url, signal), close }
  } catch (error) {
    await local.close()
    throw error
  }
}

const history = async (url: string, begin: number, end: number): Promise<Demo> => {
  const made = await createDemo(url, begin)
  const blocks = DAYS * BLOCKS_A_DAY
  for (let block = 1; block <= blocks; block++) {
    await made.block(begin + Math.floor(((end - begin) * block) / blocks))
  }
  return made
}

const METHODS = ['eth_blockNumber', 'eth_gasPrice', 'eth_chainId', 'eth_nonsense']

const keepGoing = async (made: Demo, gatewayUrl: string, signal: AbortSignal): Promise<void> => {
  for (let round = 0; !signal.aborted; round++) {
    await made.block()
    const method = METHODS[round % METHODS.length]
    const body = JSON.stringify({ jsonrpc: '2.0', id: round, method, params: [] })
    const headers = { 'content-type': 'application/json' }
    await fetch(gatewayUrl, { method: 'POST', headers, body, signal }).catch(() => undefined)
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
  }
}
