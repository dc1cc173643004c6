const parcels = [
  { number: 'P-1001', customer: 'guest', at: 'Hamburg' },
  { number: 'P-1002', customer: 'ada', at: 'Lisbon' },
];

export function find(customer, number) {
  return parcels.find((parcel) => parcel.customer === customer && parcel.number === number);
}
