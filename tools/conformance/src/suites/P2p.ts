import * as Suite from '../Suite.ts'
import { addressChecks } from './p2p/addresses.ts'
import { bloomChecks } from './p2p/bloom.ts'
import { messageChecks } from './p2p/messages.ts'

/** Checks the peer protocol: signed addresses, bloom filters, messages, frames and application requests. */
export const p2p = Suite.create('p2p.json', { ...addressChecks, ...bloomChecks, ...messageChecks })
