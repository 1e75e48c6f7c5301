import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Abi, getAddress, parseAbi } from 'viem'
import type { DemoContracts } from './Demo.ts'

/** The ABIs of the contracts in `contracts/Demo.sol`, by their names there. */
const SOURCES: { readonly [Name in keyof DemoContracts]: readonly [name: string, abi: Abi] } = {
  token: [
    'Token',
    parseAbi([
      'function mint(address to, uint256 value)',
      'function transfer(address to, uint256 value) returns (bool)',
      'function approve(address spender, uint256 value) returns (bool)',
      'function transferFrom(address from, address to, uint256 value) returns (bool)',
      'event Transfer(address indexed from, address indexed to, uint256 value)',
      'event Approval(address indexed owner, address indexed spender, uint256 value)',
    ]),
  ],
  collectible: [
    'Collectible',
    parseAbi([
      'function mint(address to, uint256 tokenId)',
      'function transferFrom(address from, address to, uint256 tokenId)',
      'event Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
    ]),
  ],
  items: [
    'Items',
    parseAbi([
      'function mint(address to, uint256 id, uint256 value)',
      'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data)',
      'event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
      'event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
    ]),
  ],
  factory: ['Factory', parseAbi(['function create(uint256 number) payable'])],
}

/** Writes the ABIs of the demo contracts into a folder, in the format of Sourcify. */
export async function writeVerifiedSources(
  folder: string,
  chainId: number,
  contracts: DemoContracts,
): Promise<void> {
  for (const [key, [name, abi]] of Object.entries(SOURCES)) {
    const address = getAddress(contracts[key as keyof DemoContracts])
    const path = join(folder, 'full_match', String(chainId), address)
    await mkdir(path, { recursive: true })
    const settings = { compilationTarget: { 'Demo.sol': name } }
    await writeFile(join(path, 'metadata.json'), JSON.stringify({ output: { abi }, settings }))
  }
}
