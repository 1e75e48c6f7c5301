import { NodeRelease } from '@firn/codec'

const { major, minor, patch } = NodeRelease.CLAIMED
const RELEASE = `${major}.${minor}.${patch}`

/**
 * The node version that this replica emulates and reports in responses and in its configuration. It is the version that
 * it claims to peers.
 */
export const NODE = `avalanchego/${RELEASE}`

/** Versions of the database format, the plugin protocol and the sources, as in `info.getNodeVersion`. */
export const DATABASE = 'v1.4.5'
export const RPC_PROTOCOL = 46
export const GIT_COMMIT = ''

/** Versions of the virtual machines of the Primary Network. */
export const VMS: Readonly<Record<string, string>> = { avm: NODE, evm: `v${RELEASE}`, platform: NODE }
