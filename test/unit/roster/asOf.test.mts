import { dayIn } from '../../../nodes/SchoolPartnerRoster/run/rosterInput.ts';

test.each([
	['America/Sao_Paulo', '2027-03-01T02:00:00Z', '2027-02-28'],
	['America/Sao_Paulo', '2027-03-01T05:00:00Z', '2027-03-01'],
	['Pacific/Auckland', '2027-02-28T13:00:00Z', '2027-03-01'],
	['UTC', '2027-12-31T23:59:59Z', '2027-12-31'],
])('As Of is today where the workflow is: in %s at %s it is %s', (timeZone, now, day) => {
	expect(dayIn(timeZone, Date.parse(now))).toBe(day);
});
