// The benchmark family by hand in C++: what the machine can do. A position in one word (or two), open addressing, breadth first,
// batched prefetching; a table that doubles (1 thread), or is sized and claimed by compare-and-swap (2 threads and more).
// usage: explorer [log2 of the first table] [threads]; -DNOCHECK leaves out the three properties
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#include <thread>
#include <atomic>
#include <chrono>
#include <type_traits>
#include <sys/mman.h>
#include <sched.h>
#ifndef N
#define N 3
#endif
#ifndef D
#define D 3
#endif
#ifndef C
#define C 1
#endif
#ifndef T
#define T 1
#endif
#ifndef NOCHECK
#define CHECK 1
#endif
typedef unsigned __int128 u128; typedef uint64_t u64;
constexpr int bw(unsigned x){int b=0; while(x){b++;x>>=1;} return b;}
constexpr int BP=bw(N-1), BH=bw(N), BC=bw(C), BT=bw(T), BL=bw(D), BI=2+BP;
constexpr int oSTEP=0,oSTAGE=2,oTP=4,oH=oTP+BP,oPA=oH+BH,oBUD=oPA+BH,oPEND=oBUD+BT,oHAND=oPEND+N*BT,oLEN=oHAND+2*N*BC,oST=oLEN+BL,TOTAL=oST+D*BI;
#ifdef FORCE128
typedef u128 W;
#else
typedef std::conditional<(TOTAL<=64),u64,u128>::type W;
#endif
static_assert(TOTAL<=128,"too wide");
constexpr W M(int b){return (((W)1)<<b)-1;}
#define GET(s,o,b) ((unsigned)(((s)>>(o))&M(b)))
#define SET(s,o,b,v) (((s)&~(M(b)<<(o)))|(((W)(v))<<(o)))
enum {PROC=1,DEC=2,RES=3};   // +1 so that a state is never 0 (0 = empty slot)
static inline W push(W s,unsigned n,unsigned kind,unsigned p){ return (s + (((W)1)<<oLEN)) | (((W)(kind|(p<<2)))<<(oST+n*BI)); }
static inline int succ(W s, W*out){
  int k=0; unsigned st=GET(s,oSTAGE,2), n=GET(s,oLEN,BL);
  if(st==DEC){
    unsigned h=GET(s,oH,BH), pa=GET(s,oPA,BH); int oi=oHAND+2*h*BC;
    W z = SET(SET(s,oPA,BH,0),oSTAGE,2,PROC);
    if(n<D && GET(s,oi,BC)) out[k++]=push(z-(((W)1)<<oi),n,0,h);
    if(n==0 && D>0 && GET(s,oSTEP,2)==1 && h==GET(s,oTP,BP) && GET(s,oi+BC,BC)) out[k++]=push(z-(((W)1)<<(oi+BC)),n,1,h);
    if(pa+1<N) out[k++]=SET(s+(((W)1)<<oPA),oH,BH,(h+1==N?0:h+1));
    else out[k++]=SET(SET(s+(((W)1)<<oPA),oH,BH,N),oSTAGE,2,RES);
  } else if(st==RES){
    unsigned tp=GET(s,oTP,BP);
    W z=SET(SET(s,oPA,BH,0),oSTAGE,2,PROC);
    if(n){
      z=SET(z,oH,BH,tp); z-=((W)1)<<oLEN; z&=~(M(BI)<<(oST+(n-1)*BI));
      out[k++]=z;
      if(T>0 && GET(s,oBUD,BT)) for(int p=0;p<N;p++) out[k++]=z-(((W)1)<<oBUD)+(((W)1)<<(oPEND+p*BT));
    } else { unsigned stp=GET(s,oSTEP,2);
      if(stp<3) out[k++]=SET(z,oH,BH,tp)+(((W)1)<<oSTEP);
      else { unsigned t2=tp+1==N?0:tp+1; out[k++]=SET(SET(SET(z,oSTEP,2,0),oTP,BP,t2),oH,BH,t2); } }
  } else {
    if(T>0 && (s & (M(N*BT)<<oPEND))){
      unsigned q=GET(s,oTP,BP); while(!GET(s,oPEND+q*BT,BT)) q=q+1==N?0:q+1;
      W z=s-(((W)1)<<(oPEND+q*BT)); out[k++]= n<D? push(z,n,2,q):z;
    } else out[k++]=SET(s,oSTAGE,2,DEC);
  }
  return k;
}
static inline int badstate(W s){unsigned st=GET(s,oSTAGE,2),h=GET(s,oH,BH),pa=GET(s,oPA,BH); return st==DEC? h>=N : st==RES? (h!=N||pa!=N):0;}
static inline int badedge(W s,W u){
  unsigned n=GET(s,oLEN,BL),m=GET(u,oLEN,BL); int v=0;
  if((GET(s,oSTEP,2)!=GET(u,oSTEP,2)||GET(s,oTP,BP)!=GET(u,oTP,BP))&&(n|m)) v++;
  unsigned k=n<m?n:m; if((((s^u)>>oST)&M(k*BI))||(n>m?n-m:m-n)>1) v++;
  return v;
}
static inline u64 mix(u64 x){ x^=x>>32; x*=0xd6e8feb86659fd93ULL; x^=x>>32; return x*0xd6e8feb86659fd93ULL; }
static inline u64 hsh(u64 x){return mix(x);} static inline u64 hsh(u128 x){return mix((u64)x ^ (mix((u64)(x>>64))>>1));}
#include <immintrin.h>
static inline u64 ld(u64*p){return __atomic_load_n(p,__ATOMIC_RELAXED);} 
static inline u128 ld(u128*p){ __m128i v=_mm_load_si128((const volatile __m128i*)p ? (const __m128i*)p : 0); asm volatile("":"+x"(v)); u128 r; memcpy(&r,&v,16); return r; } // 16-byte aligned vector load: atomic on AVX parts
static W* tab; static int lg; static u64 cap,cnt;
static W* alloc(u64 n){ void*p=mmap(0,n*sizeof(W),PROT_READ|PROT_WRITE,MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE,-1,0); if(p==MAP_FAILED)exit(9); madvise(p,n*sizeof(W),MADV_HUGEPAGE); return (W*)p; }
static void grow(){ W*o=tab; u64 oc=cap; lg++; cap=1ull<<lg; tab=alloc(cap); u64 m=cap-1;
  for(u64 i=0;i<oc;i++) if(o[i]){ u64 j=hsh(o[i])>>(64-lg); while(tab[j]) j=(j+1)&m; tab[j]=o[i]; }
  munmap(o,oc*sizeof(W)); }
static inline bool cas(u64*p,u64 v,u64&old){ old=0; return __atomic_compare_exchange_n(p,&old,v,false,__ATOMIC_RELAXED,__ATOMIC_RELAXED);} 
static inline bool cas(u128*p,u128 v,u128&old){ old=__sync_val_compare_and_swap(p,(u128)0,v); return old==0; }
struct Bar{ std::atomic<int>c{0},g{0}; int n; void wait(){int x=g.load(); if(c.fetch_add(1)==n-1){c=0;g++;} else for(int k=0;g.load()==x;k++){ if(k<2000) __builtin_ia32_pause(); else sched_yield(); }}};
int main(int ac,char**av){
  lg=ac>1?atoi(av[1]):16; int nt=ac>2?atoi(av[2]):1; cap=1ull<<lg; tab=alloc(cap);
  auto t0=std::chrono::steady_clock::now();
  W init=0; init=SET(init,oSTAGE,2,PROC); init=SET(init,oBUD,BT,T); for(int i=0;i<2*N;i++) init=SET(init,oHAND+i*BC,BC,C);
  u64 edges=0,levels=0,viol=0;
  constexpr int B=32, MO=N+3;
  if(nt==1){
    std::vector<W> cur{init},nxt; tab[hsh(init)>>(64-lg)]=init; cnt=1;
    W buf[B*MO]; u64 hb[B*MO];
    while(!cur.empty()){
      nxt.clear(); size_t n=cur.size();
      for(size_t i=0;i<n;i+=B){
        size_t e=i+B<n?i+B:n; int k=0;
        if((cnt+B*MO)*10>cap*7) grow();
        for(size_t j=i;j<e;j++){ int q=succ(cur[j],buf+k);
#ifdef CHECK
          viol+=badstate(cur[j]); for(int z=0;z<q;z++) viol+=badedge(cur[j],buf[k+z]);
#endif
          for(int z=0;z<q;z++){u64 x=hsh(buf[k+z])>>(64-lg); hb[k+z]=x; __builtin_prefetch(tab+x,1);} k+=q; }
        edges+=k; u64 m=cap-1;
        for(int z=0;z<k;z++){ u64 j=hb[z]; W v=buf[z]; while(tab[j]&&tab[j]!=v) j=(j+1)&m; if(!tab[j]){tab[j]=v;cnt++;nxt.push_back(v);} }
      }
      cur.swap(nxt); levels++;
    }
  } else {
    std::vector<std::vector<W>> cur(nt),nxt(nt); cur[0].push_back(init); tab[hsh(init)>>(64-lg)]=init; cnt=1;
    std::vector<u64> E(nt),V(nt),K(nt); Bar bar; bar.n=nt; std::atomic<bool> done{false}; std::atomic<u64> next{0}; std::vector<W> flat{init};
    auto work=[&](int id){ W buf[B*MO]; u64 hb[B*MO]; u64 ed=0,vi=0,kk=0,m=cap-1; constexpr u64 CH=1024;
      while(true){
        auto&nx=nxt[id]; nx.clear(); u64 n=flat.size();
        for(;;){ u64 a=next.fetch_add(CH); if(a>=n)break; u64 b=a+CH<n?a+CH:n;
          for(u64 i=a;i<b;i+=B){ u64 e=i+B<b?i+B:b; int k=0;
            for(u64 j=i;j<e;j++){ int q=succ(flat[j],buf+k);
#ifdef CHECK
              vi+=badstate(flat[j]); for(int z=0;z<q;z++) vi+=badedge(flat[j],buf[k+z]);
#endif
              for(int z=0;z<q;z++){u64 x=hsh(buf[k+z])>>(64-lg); hb[k+z]=x; __builtin_prefetch(tab+x,1);} k+=q; }
            ed+=k;
            for(int z=0;z<k;z++){ u64 j=hb[z]; W v=buf[z]; for(;;){ W o=ld(tab+j); if(o==v)break; if(!o){ if(cas(tab+j,v,o)){kk++;nx.push_back(v);break;} if(o==v)break; } j=(j+1)&m; } } } }
        bar.wait();
        if(id==0){ size_t t=0; for(auto&x:nxt)t+=x.size(); flat.resize(t); next=0; levels++; if(!t)done=true; }
        bar.wait();
        { size_t o=0; for(int x=0;x<id;x++)o+=nxt[x].size(); if(nx.size()) memcpy(flat.data()+o,nx.data(),nx.size()*sizeof(W)); }
        bar.wait();
        if(done)break;
      } E[id]=ed;V[id]=vi;K[id]=kk; };
    std::vector<std::thread> th; for(int i=0;i<nt;i++)th.emplace_back(work,i); for(auto&t:th)t.join();
    for(int i=0;i<nt;i++){edges+=E[i];viol+=V[i];cnt+=K[i];}
  }
  double dt=std::chrono::duration<double>(std::chrono::steady_clock::now()-t0).count();
  printf("cpp N=%d D=%d C=%d T=%d bits=%d word=%zu threads=%d states=%llu edges=%llu levels=%llu viol=%llu search_s=%.4f states/s=%.0f\n",N,D,C,T,TOTAL,sizeof(W)*8,nt,(unsigned long long)cnt,(unsigned long long)edges,(unsigned long long)levels,(unsigned long long)viol,dt,cnt/dt);
}
