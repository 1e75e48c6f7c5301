import type { Mask } from './Masking.ts'

/** An exchange that is not compared, by its place in its file (from 1), and why. */
export interface Named {
  readonly file: string
  readonly line: number
  readonly reason: string
}

/** All that a replay lets pass. Nothing else in this package makes an exception. */
export interface Exceptions {
  readonly masks: readonly Mask[]
  readonly named: readonly Named[]
}

/** Headers that belong to a moment or to one connection: Go's server leaves the last two out, and so did the recorder the first. */
export const IGNORED_HEADERS = ['date', 'connection', 'keep-alive'] as const

const peers: readonly Mask[] = [
  { method: 'info.peers', path: 'result.peers[].ip', form: 'address', reason: 'an ephemeral port' },
  { method: 'info.peers', path: 'result.peers[].lastSent', form: 'time', reason: 'clock' },
  { method: 'info.peers', path: 'result.peers[].lastReceived', form: 'time', reason: 'clock' },
  { method: 'info.peers', path: 'result.peers[].observedUptime', form: 'digits', reason: 'opinion of peers' },
  {
    method: 'info.peers',
    path: 'result.peers',
    form: 'set',
    when: 'no nodeIDs are given',
    reason: 'order of connection',
  },
]

const uptimes: readonly Mask[] = [
  {
    method: 'info.uptime',
    path: 'result.rewardingStakePercentage',
    form: 'fraction',
    reason: 'opinion of peers',
  },
  {
    method: 'info.uptime',
    path: 'result.weightedAveragePercentage',
    form: 'fraction',
    reason: 'opinion of peers',
  },
]

const validators: readonly Mask[] = [
  {
    method: 'platform.getCurrentValidators',
    path: 'result.validators[].uptime',
    form: 'fraction',
    reason: "the node's own measurement",
  },
  {
    method: 'platform.getCurrentValidators',
    path: 'result.validators[].connected',
    form: 'flag',
    reason: "the node's own connections",
  },
]

const chance: readonly Mask[] = [
  {
    method: 'platform.sampleValidators',
    path: 'result.validators',
    form: 'sample',
    reason: 'drawn at random',
  },
  { method: 'avm.getAllBalances', path: 'result.balances', form: 'set', reason: 'order of a Go map' },
]

/** What a replay of `recordings/rpc` lets pass. */
export const LOCAL: Exceptions = {
  masks: [...peers, ...uptimes, ...validators, ...chance],
  named: [],
}

/** What a replay of `recordings/helicon/rpc` lets pass. */
export const HELICON: Exceptions = {
  masks: [...peers, ...uptimes, ...validators],
  named: [],
}
