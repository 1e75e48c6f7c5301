import * as Suite from '../Suite.ts'
import { messageChecks } from './warp/messages.ts'
import { validatorChecks } from './warp/validators.ts'

/** Checks Warp messages and payloads, the P-chain's L1 messages, validator sets, quorums and verification. */
export const warp = Suite.create('warp.json', { ...messageChecks, ...validatorChecks })
