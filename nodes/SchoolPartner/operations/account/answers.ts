/** What the synchronization endpoints answer, each with the deviations that the document tells to tolerate. */
import { accountUser, classOfUser, dependent, school, sponsor, tenant } from '../../../shared/contract/synchronization';
import { canonicalClass, canonicalSchool, canonicalUser } from '../../../shared/contract/tolerances';
import type { Answer } from '../../framework/answer';

export const accountAnswer: Answer = { shape: 'entity', schema: accountUser, canonical: canonicalUser };
export const sponsorsAnswer: Answer = { shape: 'list', schema: sponsor, canonical: canonicalUser };
export const dependentsAnswer: Answer = { shape: 'list', schema: dependent, canonical: canonicalUser };
export const tenantAnswer: Answer = { shape: 'entity', schema: tenant };
export const schoolsAnswer: Answer = { shape: 'list', schema: school, canonical: canonicalSchool };
export const classesAnswer: Answer = { shape: 'list', schema: classOfUser, canonical: canonicalClass };
