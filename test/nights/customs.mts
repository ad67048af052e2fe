/** What networks and services are like, drawn by chance. */
import { DAY, FIRST_DAY } from './calendar.mts';
import type { Customs } from './network.mts';
import type { Chance } from './random.mts';
import type { ServiceCustoms } from './service.mts';

export function customsOf(chance: Chance, mostPupils: number): Customs {
	const schools = ['e1', 'e2', 'e3', 'e4'].slice(0, chance.between(1, 4));
	const grades = chance.between(2, 5);
	const most = Math.max(10, Math.floor(mostPupils / (schools.length * grades)));
	return {
		...{ schools, grades, pupilsInClass: chance.between(8, most) },
		idsAre: chance.of(['numbers', 'letters'] as const),
		emailsFrom: chance.isTrue(0.5) ? 0 : FIRST_DAY + chance.between(30, 200) * DAY,
		enrolsEarly: chance.isTrue(0.3),
	};
}

/** What is rarer: ids of classes that come again each year, families with one e-mail, ids that differ in capitals alone, people who come back. */
export function rarerCustomsOf(
	chance: Chance,
): Required<Pick<Customs, 'classIds' | 'sharesEmails' | 'idsInCapitals' | 'comesBack'>> {
	return {
		classIds: chance.of(['sourcedIds', 'sourcedIds', 'codesWithYear', 'codes'] as const),
		sharesEmails: chance.isTrue(0.3),
		idsInCapitals: chance.isTrue(0.3),
		comesBack: chance.isTrue(0.5),
	};
}

export function serviceCustomsOf(chance: Chance): ServiceCustoms {
	return {
		confirms: chance.isTrue(0.3),
		saysNo: chance.isTrue(0.3),
		hasUniqueEmails: chance.isTrue(0.5),
		ignoresCase: chance.isTrue(0.5),
	};
}
