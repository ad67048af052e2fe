import type { SignOnFinding } from '../../shared/oidc/finding';

/** What is wrong with a logout. Its sender is told this alone: an answer has no place for what to do next. */
export function logoutFinding(code: string, message: string): SignOnFinding {
	return { code, message, next: '' };
}
