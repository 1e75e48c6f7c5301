import { DocsError } from './DocsError.ts'
import type { Repository } from './Repository.ts'

/** A page whose text is a Markdown file of the repository. */
export interface Source {
  /** Path of the page below the root of the site. */
  readonly page: string
  /** Path of the Markdown file in the repository. */
  readonly file: string
  /** Title in the sidebar. */
  readonly title: string
}

/** Pages that the sidebar shows below one heading. */
export interface Section {
  readonly title: string
  readonly pages: readonly Source[]
  readonly isCollapsed?: boolean
}

const own = (page: string, title: string): Source => ({
  page: `${page}.md`,
  file: `docs/pages/${page}.md`,
  title,
})
const shared = (page: string, file: string, title: string): Source => ({ page: `${page}.md`, file, title })

/** The front page, which is in no section. */
export const HOME: Source = own('index', 'Firn')

/** Tutorials, whose blocks a test copies from the first to the last. */
export const TUTORIALS: readonly Source[] = [
  own('tutorials/index', 'Tutorials'),
  own('tutorials/aggregator', 'Run an aggregator'),
  own('tutorials/browser', 'Verify a message in a browser'),
  own('tutorials/transaction', 'Send a P-chain transaction'),
  own('tutorials/l1', 'Follow an L1'),
  own('tutorials/node', 'Replace a node for reads'),
  own('tutorials/data-api', 'Run your own Data API'),
]

/** Guides, in the order of the sidebar. */
export const SECTIONS: readonly Section[] = [
  {
    title: 'Start',
    pages: [
      shared('start', 'README.md', 'Overview'),
      own('guides/others', 'Firn and others'),
      own('guides/moving-from-avalanchejs', 'From avalanchejs'),
      own('guides/moving-from-go', 'From the Go aggregator'),
    ],
  },
  {
    title: 'Run Firn',
    pages: [
      shared('guides/deploy', 'deploy/README.md', 'Deploying'),
      own('guides/operations', 'Operations'),
      own('guides/webhooks', 'Webhooks'),
      own('guides/proxies', 'Behind a proxy'),
      own('guides/alerts', 'Alerts'),
      shared('guides/mainnet', 'services/indexer/docs/mainnet.md', 'Mainnet and Fuji'),
      shared('guides/console', 'apps/console/README.md', 'Console'),
      shared('guides/indexer', 'services/indexer/README.md', 'Indexing'),
      shared('guides/capacity', 'services/indexer/docs/capacity.md', 'Capacity'),
      shared('guides/scaling', 'services/indexer/docs/scaling.md', 'Scaling'),
      shared('guides/reliability', 'services/indexer/docs/reliability.md', 'Reliability'),
      shared('guides/lists', 'services/indexer/docs/lists.md', 'Cost of lists'),
    ],
  },
  {
    title: 'Signature aggregator',
    pages: [
      shared('guides/aggregator', 'services/aggregator/README.md', 'Aggregator'),
      shared('guides/aggregator-configuration', 'services/aggregator/docs/configuration.md', 'Configuration'),
      shared('guides/aggregator-batches', 'services/aggregator/docs/batches.md', 'Batches'),
      shared('guides/aggregator-jobs', 'services/aggregator/docs/jobs.md', 'Jobs'),
      shared('guides/aggregator-epochs', 'services/aggregator/docs/epochs.md', 'Epochs'),
      shared('guides/aggregator-errors', 'services/aggregator/docs/errors.md', 'Errors'),
    ],
  },
  {
    title: 'Examples',
    pages: [
      shared('examples/aggregate-and-verify', 'examples/aggregate-and-verify/README.md', 'Sign and verify'),
      shared('examples/watch-validators', 'examples/watch-validators/README.md', 'Watch validators'),
      shared('examples/stake', 'examples/stake/README.md', 'Stake'),
      shared('examples/create-l1', 'examples/create-l1/README.md', 'Create an L1'),
      shared('examples/address-page', 'examples/address-page/README.md', 'Show an address'),
      shared('examples/quorum-alert', 'examples/quorum-alert/README.md', 'Alert on quorum risk'),
      shared('examples/verify-handler', 'examples/verify-handler/README.md', 'Verify in a server'),
      shared('examples/browser-verifier', 'examples/browser-verifier/README.md', 'Verify in a browser'),
      shared('examples/tour', 'examples/tour/README.md', 'From a transfer to an L1 validator'),
      shared('examples/relayer', 'examples/relayer/README.md', 'A relayer to copy'),
    ],
  },
  {
    title: 'Node API, Data API, gateway',
    pages: [
      shared('guides/node', 'services/node/README.md', 'Node API'),
      shared('guides/node-configuration', 'services/node/docs/configuration.md', 'Node API: configuration'),
      shared(
        'guides/node-administration',
        'services/node/docs/administration.md',
        'Node API: administration',
      ),
      shared('guides/data-api', 'services/data-api/README.md', 'Data API'),
      shared('guides/gateway', 'services/gateway/README.md', 'RPC gateway'),
      shared('guides/gateway-methods', 'services/gateway/docs/methods.md', 'RPC gateway: methods'),
      shared('guides/console', 'apps/console/README.md', 'Console'),
    ],
  },
  {
    title: 'The project',
    isCollapsed: true,
    pages: [
      shared('project/architecture', 'ARCHITECTURE.md', 'Architecture'),
      shared('project/contributing', 'CONTRIBUTING.md', 'Contributing'),
      shared('project/security', 'SECURITY.md', 'Security'),
      shared('project/docs', 'docs/README.md', 'This site'),
      shared('project/devnet', 'tools/devnet/README.md', 'Devnet'),
      shared('project/demo-chain', 'tools/demo-chain/README.md', 'Demo chain'),
      shared('project/demo-network', 'tools/demo-network/README.md', 'Demo network'),
      shared('project/conformance', 'tools/conformance/README.md', 'Conformance'),
      shared('project/fuzz', 'tools/fuzz/README.md', 'Fuzzing'),
      shared('project/mutants', 'tools/mutants/README.md', 'Mutants'),
      shared('project/bench', 'tools/bench/README.md', 'Benchmarks'),
      shared('project/deploy', 'tools/deploy/README.md', 'Deployment checks'),
      shared('project/check', 'tools/check/README.md', 'Checks'),
      shared('project/openapi', 'tools/openapi/README.md', 'OpenAPI documents'),
      shared('project/browser', 'tools/browser/README.md', 'Modules in Chromium'),
      shared('project/release', 'tools/release/README.md', 'Release'),
      shared('project/start', 'tools/start/README.md', 'Start of scripts'),
      shared('project/readmes', 'tools/readmes/README.md', 'Commands of the documents'),
    ],
  },
]

/** The command-line reference, whose overview is the README of the command. */
export const CLI: Source = shared('reference/cli/index', 'tools/cli/README.md', 'The firn command')

/** The document with the options of all commands. The site has a page for each command. */
export const COMMANDS = 'tools/cli/docs/commands.md'

/** Returns the sources of the overviews of packages, such as `packages/warp/README.md`. */
export const packageOverviews = (repository: Repository): readonly Source[] =>
  repository.packages.map(({ folder, name }) =>
    shared(`reference/packages/${folder}/index`, `packages/${folder}/README.md`, name),
  )

/** Returns all sources of the site. */
export const sources = (repository: Repository): readonly Source[] => [
  HOME,
  ...TUTORIALS,
  ...SECTIONS.flatMap(({ pages }) => pages),
  CLI,
  ...packageOverviews(repository),
]

/** Matches Markdown files that are not documentation: recordings, notes on changes, templates, and reports of types. */
const OTHER = /(^|\/)(vectors|\.changeset|\.github)\/|(^|\/)CHANGELOG\.md$|^packages\/[^/]+\/api\.md$/

/**
 * Checks that every Markdown file of the repository is part of the site, and that every source exists.
 * @throws DocsError `DOCS_PAGE`
 */
export const check = (repository: Repository): void => {
  const listed = sources(repository).map(({ file }) => file)
  const missing = repository.documents.filter(
    (file) => !OTHER.test(file) && file !== COMMANDS && !listed.includes(file),
  )
  if (missing.length > 0)
    throw new DocsError('DOCS_PAGE', `No page for ${missing.join(', ')}. Add it to docs/src/Sitemap.ts.`)
  const unknown = listed.filter((file) => !repository.documents.includes(file))
  if (unknown.length > 0)
    throw new DocsError('DOCS_PAGE', `docs/src/Sitemap.ts names ${unknown.join(', ')}, which does not exist.`)
}
