// Ranks that send and receive step after step, as SimGrid's S4U plays them: an actor a rank, a mailbox a pair.
//
//   ranks CASE [--cfg=...]
//
// CASE is text: the number of links, one line "bandwidth latency" each (bytes per second, seconds); "ranks steps bytes";
// the number of pairs, one line "from to hops link link ..." each. A line per rank and step follows: whom the rank sends
// to and whom it receives from. In a step a rank posts its receive, then its send, and waits for both.
//
// Standard output has when each rank is done, standard error the CPU seconds of the simulation without reading and
// building. Routes are looked up in a table, the quickest that SimGrid has.

#include <cstdio>
#include <ctime>
#include <fstream>
#include <map>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

namespace sg4 = simgrid::s4u;

struct Step {
  size_t to;
  size_t from;
  sg4::Mailbox* out;
  sg4::Mailbox* in;
};

static std::map<std::pair<size_t, size_t>, sg4::Mailbox*> read_routes(std::ifstream& in, sg4::NetZone* zone,
                                                                     const std::vector<const sg4::Link*>& links,
                                                                     const std::vector<sg4::Host*>& hosts)
{
  std::map<std::pair<size_t, size_t>, sg4::Mailbox*> boxes;
  size_t pairs = 0;
  in >> pairs;
  for (size_t i = 0; i < pairs; i++) {
    size_t from = 0, to = 0, hops = 0;
    in >> from >> to >> hops;
    std::vector<sg4::LinkInRoute> route;
    for (size_t hop = 0; hop < hops; hop++) {
      size_t link = 0;
      in >> link;
      route.emplace_back(links.at(link));
    }
    zone->add_route(hosts.at(from)->get_netpoint(), hosts.at(to)->get_netpoint(), nullptr, nullptr, route, false);
    boxes[{from, to}] = sg4::Mailbox::by_name(std::to_string(from) + ">" + std::to_string(to));
  }
  return boxes;
}

static void play(const std::vector<Step>& steps, uint64_t bytes, double& end_s)
{
  static int payload = 0;
  for (const auto& step : steps) {
    int* got = nullptr;
    auto receive = step.in->get_async<int>(&got);
    auto send = step.out->put_async(&payload, bytes);
    send->wait();
    receive->wait();
  }
  end_s = sg4::Engine::get_clock();
}

int main(int argc, char** argv)
{
  sg4::Engine engine(&argc, argv);
  if (argc != 2) {
    std::fprintf(stderr, "usage: ranks CASE [--cfg=...]\n");
    return 2;
  }
  std::ifstream in(argv[1]);
  size_t number = 0;
  in >> number;
  auto* zone = sg4::create_full_zone("network");
  std::vector<const sg4::Link*> links(number);
  for (size_t i = 0; i < number; i++) {
    double bandwidth = 0, latency = 0;
    in >> bandwidth >> latency;
    links[i] = zone->create_link("l" + std::to_string(i), bandwidth)->set_latency(latency)->seal();
  }
  size_t ranks = 0, count = 0;
  uint64_t bytes = 0;
  in >> ranks >> count >> bytes;
  std::vector<sg4::Host*> hosts(ranks);
  for (size_t rank = 0; rank < ranks; rank++)
    hosts[rank] = zone->create_host("e" + std::to_string(rank), 1e9)->seal();
  const auto boxes = read_routes(in, zone, links, hosts);
  std::vector<std::vector<Step>> steps(ranks, std::vector<Step>(count));
  for (size_t rank = 0; rank < ranks; rank++)
    for (auto& step : steps[rank]) {
      in >> step.to >> step.from;
      step.out = boxes.at({rank, step.to});
      step.in = boxes.at({step.from, rank});
    }
  if (!in) {
    std::fprintf(stderr, "ranks: %s is not a case\n", argv[1]);
    return 2;
  }
  zone->seal();
  std::vector<double> end_s(ranks);
  for (size_t rank = 0; rank < ranks; rank++)
    sg4::Actor::create("rank", hosts[rank], [&, rank]() { play(steps[rank], bytes, end_s[rank]); });
  const std::clock_t before = std::clock();
  engine.run();
  const double run_s = static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
  for (double end : end_s)
    std::printf("%.17g\n", end);
  std::fprintf(stderr, "ran %.6f CPU seconds\n", run_s);
  return 0;
}
