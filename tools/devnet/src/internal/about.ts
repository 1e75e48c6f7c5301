import { VERSION } from '../Version.ts'

/** Contents of the landing page. */
export const ABOUT = {
  name: 'devnet',
  description:
    'A complete test network: validators that sign over the real peer protocol, and their P-chain.',
  version: VERSION,
  status: 'up',
  problems: [],
} as const

/** Links of the landing page. */
export const LINKS = [
  { href: '/devnet', title: 'State of the network; POST requests to the sub-paths change it' },
  { href: '/ext/info', title: 'Methods of the Info API (JSON-RPC over POST)' },
  { href: '/ext/bc/P', title: 'Methods of the P-chain API (JSON-RPC over POST)' },
] as const
