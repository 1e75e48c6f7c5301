/**
 * Codes of the errors of this package. `DEPLOY_DOCKERFILE`: a Dockerfile that cannot be read or rehearsed.
 * `DEPLOY_STEP`: a step of a rehearsal failed.
 */
export type DeployErrorCode = 'DEPLOY_DOCKERFILE' | 'DEPLOY_STEP'

/** The error class of this package. */
export class DeployError extends Error {
  override readonly name = 'DeployError'
  readonly code: DeployErrorCode

  constructor(code: DeployErrorCode, message: string) {
    super(message)
    this.code = code
  }
}
