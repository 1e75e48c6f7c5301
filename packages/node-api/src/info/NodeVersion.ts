/**
 * The node version that this replica emulates and reports in responses, in its configuration and to peers.
 */
export const NODE = 'avalanchego/1.14.2'

/** Versions of the database format, the plugin protocol and the sources, as in `info.getNodeVersion`. */
export const DATABASE = 'v1.4.5'
export const RPC_PROTOCOL = 45
export const GIT_COMMIT = ''

/** Versions of the virtual machines of the Primary Network. */
export const VMS: Readonly<Record<string, string>> = { avm: NODE, evm: 'v1.14.2', platform: NODE }
